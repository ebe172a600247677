/// Text of PDF, Office, OpenDocument and EPUB documents, read in child processes that may hang,
/// swell or crash without harm to the crawler (F49).
@NullMarked
package io.tidemill.crawler.document;

import org.jspecify.annotations.NullMarked;
