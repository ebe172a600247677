/// Reads and checks the options of steps and tasks; errors name the option.
@NullMarked
package io.tidemill.processor.option;

import org.jspecify.annotations.NullMarked;
