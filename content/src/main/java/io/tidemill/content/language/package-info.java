/// The language of a text, and what languages need to know of their words.
@NullMarked
package io.tidemill.content.language;

import org.jspecify.annotations.NullMarked;
