/// Records on their way through a workflow: read, written and kept in bounded memory.
@NullMarked
package io.tidemill.processor.records;

import org.jspecify.annotations.NullMarked;
