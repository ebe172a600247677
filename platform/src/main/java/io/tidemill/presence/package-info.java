/// The processes of this installation, on whichever machines.
@NullMarked
package io.tidemill.presence;

import org.jspecify.annotations.NullMarked;
