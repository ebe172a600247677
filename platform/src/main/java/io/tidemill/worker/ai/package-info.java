/// Jobs that a language model does: `chat`, `plan` and `code` (C3.11).
@NullMarked
package io.tidemill.worker.ai;

import org.jspecify.annotations.NullMarked;
