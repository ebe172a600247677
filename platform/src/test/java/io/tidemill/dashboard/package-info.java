@NullMarked
package io.tidemill.dashboard;

import org.jspecify.annotations.NullMarked;
