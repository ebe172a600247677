/// `tidemill crawl`
@NullMarked
package io.tidemill.cli.crawl;

import org.jspecify.annotations.NullMarked;
