/// What steps and tasks implement and see; everything else of the processor is hidden from them.
@NullMarked
package io.tidemill.processor.api;

import org.jspecify.annotations.NullMarked;
