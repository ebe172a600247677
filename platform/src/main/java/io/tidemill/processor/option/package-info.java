/// What steps and tasks are told, read and checked: whatever is wrong is named.
@NullMarked
package io.tidemill.processor.option;

import org.jspecify.annotations.NullMarked;
