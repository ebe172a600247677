/// Records on their way through a workflow: read, written and kept in bounded memory.
@NullMarked
package io.tidemill.processor.record;

import org.jspecify.annotations.NullMarked;
