/// Crawls (C1) and their frontier: which pages are yet to be fetched, when which host may be asked,
/// what became of each.
@NullMarked
package io.tidemill.crawl;

import org.jspecify.annotations.NullMarked;
