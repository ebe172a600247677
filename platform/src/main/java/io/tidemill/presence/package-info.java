/// The processes of this installation, on all machines.
@NullMarked
package io.tidemill.presence;

import org.jspecify.annotations.NullMarked;
