/// Jobs that a model does, of language or of meaning (C3.11): `chat`, `plan`, `code`, `rag`,
/// `embed`.
@NullMarked
package io.tidemill.worker.ai;

import org.jspecify.annotations.NullMarked;
