/// From the bytes of a response to a page: characters, text, links, dates and language.
@NullMarked
package io.tidemill.crawler.text;

import org.jspecify.annotations.NullMarked;
