@NullMarked
package io.tidemill.app;

import org.jspecify.annotations.NullMarked;
