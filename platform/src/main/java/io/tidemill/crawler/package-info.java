/// The crawler role: crawl requests in, pages and responses out (C1, C4).
@NullMarked
package io.tidemill.crawler;

import org.jspecify.annotations.NullMarked;
