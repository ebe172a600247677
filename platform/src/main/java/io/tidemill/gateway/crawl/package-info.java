/// Crawls over HTTP (C1): submitted, followed, ended when their responses come.
@NullMarked
package io.tidemill.gateway.crawl;

import org.jspecify.annotations.NullMarked;
