/// The steps that every processor has (C2.8): each one small class over streams of records.
@NullMarked
package io.tidemill.processor.step;

import org.jspecify.annotations.NullMarked;
