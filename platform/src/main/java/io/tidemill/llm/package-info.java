/// The client of language models over the OpenAI protocol: streamed answers, retries, limits.
@NullMarked
package io.tidemill.llm;

import org.jspecify.annotations.NullMarked;
