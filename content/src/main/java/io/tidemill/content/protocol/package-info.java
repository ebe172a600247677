/// Event streams as browsers read them, for clients of whatever server.
@NullMarked
package io.tidemill.content.protocol;

import org.jspecify.annotations.NullMarked;
