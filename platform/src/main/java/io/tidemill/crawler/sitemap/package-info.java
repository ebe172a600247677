/// Sitemaps in every form that sites publish: XML, feeds, plain lists.
@NullMarked
package io.tidemill.crawler.sitemap;

import org.jspecify.annotations.NullMarked;
