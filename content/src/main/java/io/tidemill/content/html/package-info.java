/// From the characters of a page to what it says: main text, links, dates and what it tells about
/// itself.
@NullMarked
package io.tidemill.content.html;

import org.jspecify.annotations.NullMarked;
