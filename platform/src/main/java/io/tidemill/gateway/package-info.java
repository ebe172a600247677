/// The gateway role: HTTP in, message out; events back out as SSE. Here is what all its parts
/// share, and the routes that are small.
@NullMarked
package io.tidemill.gateway;

import org.jspecify.annotations.NullMarked;
