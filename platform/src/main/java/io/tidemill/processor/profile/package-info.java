/// Profiles of the fields of records, in one pass and bounded memory.
@NullMarked
package io.tidemill.processor.profile;

import org.jspecify.annotations.NullMarked;
