/// Words and phrases that say what a text is about, found in the text alone.
@NullMarked
package io.tidemill.content.keywords;

import org.jspecify.annotations.NullMarked;
