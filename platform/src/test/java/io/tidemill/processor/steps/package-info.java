@NullMarked
package io.tidemill.processor.steps;

import org.jspecify.annotations.NullMarked;
