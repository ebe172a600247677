/// What is in the fields of records, learned in one pass and bounded memory.
@NullMarked
package io.tidemill.processor.profile;

import org.jspecify.annotations.NullMarked;
