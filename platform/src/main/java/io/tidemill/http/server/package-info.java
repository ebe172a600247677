/// The HTTP server itself, the one home of Helidon: routing, deadlines, health and metrics.
@NullMarked
package io.tidemill.http.server;

import org.jspecify.annotations.NullMarked;
