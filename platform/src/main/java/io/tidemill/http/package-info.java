/// The HTTP server: routes in, response values out, every error a problem document; the one home of
/// Helidon.
@NullMarked
package io.tidemill.http;

import org.jspecify.annotations.NullMarked;
