/// The roles of one process put together from settings and addresses.
@NullMarked
package io.tidemill.app.wiring;

import org.jspecify.annotations.NullMarked;
