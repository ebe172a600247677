/// The dashboard: its page, and the routes that only it uses. Served beside the gateway.
@NullMarked
package io.tidemill.dashboard;

import org.jspecify.annotations.NullMarked;
