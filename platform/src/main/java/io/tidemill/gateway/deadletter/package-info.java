/// Dead letters and redrives over HTTP.
@NullMarked
package io.tidemill.gateway.deadletter;

import org.jspecify.annotations.NullMarked;
