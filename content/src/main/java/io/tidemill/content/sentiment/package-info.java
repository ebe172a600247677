/// The sentiment that an English text expresses, by the rules and lexicon of VADER.
@NullMarked
package io.tidemill.content.sentiment;

import org.jspecify.annotations.NullMarked;
