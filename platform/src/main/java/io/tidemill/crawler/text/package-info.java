/// From bytes to a page: charset, text, main part, links, language.
@NullMarked
package io.tidemill.crawler.text;

import org.jspecify.annotations.NullMarked;
