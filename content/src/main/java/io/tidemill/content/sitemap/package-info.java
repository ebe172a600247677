/// Sitemaps in every form that sites publish: XML, feeds, plain lists.
@NullMarked
package io.tidemill.content.sitemap;

import org.jspecify.annotations.NullMarked;
