/// Where a crawl may go, and what it should not fall into.
@NullMarked
package io.tidemill.crawler.scope;

import org.jspecify.annotations.NullMarked;
