/// Language models behind the OpenAI protocol: answers as they are written, and an honest word when
/// one breaks off.
@NullMarked
package io.tidemill.llm;

import org.jspecify.annotations.NullMarked;
