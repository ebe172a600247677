@NullMarked
package io.tidemill.processor.step;

import org.jspecify.annotations.NullMarked;
