/// What language a text is in, and how likely it is one at all.
@NullMarked
package io.tidemill.text;

import org.jspecify.annotations.NullMarked;
