/// `main()` and the wiring: the only place that knows everything.
@NullMarked
package io.tidemill.app;

import org.jspecify.annotations.NullMarked;
