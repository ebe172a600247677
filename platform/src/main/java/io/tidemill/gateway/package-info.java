/// The gateway role: HTTP in, message out; events back out as SSE.
@NullMarked
package io.tidemill.gateway;

import org.jspecify.annotations.NullMarked;
