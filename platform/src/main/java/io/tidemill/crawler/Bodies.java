package io.tidemill.crawler;

import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.text.PageContent;
import io.tidemill.crawler.text.PageReader;
import io.tidemill.fetch.Fetched;
import java.util.concurrent.Semaphore;

/// Reads whatever a host sent as a page: HTML and text here, documents in a process of their own.
final class Bodies {
  private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors() * 2);

  /// What came of reading.
  sealed interface Body {}

  record Page(PageContent content) implements Body {}

  record NoPage(String why) implements Body {}

  private final PageReader pages;
  private final ScopeConfig scopes;
  // A tree of a page takes many times its bytes: only a few are in memory at once.
  private final Semaphore desks = new Semaphore(AT_ONCE);

  Bodies(PageReader pages, ScopeConfig scopes) {
    this.pages = pages;
    this.scopes = scopes;
  }

  ScopeConfig scopes() {
    return scopes;
  }

  Body read(Fetched.Answer answer) {
    desks.acquireUninterruptibly();
    try {
      return readOne(answer);
    } finally {
      desks.release();
    }
  }

  private Body readOne(Fetched.Answer answer) {
    var headers = answer.headers();
    var type = headers.first("Content-Type").orElse(null);
    var tags = headers.all("X-Robots-Tag");
    return switch (pages.read(answer.url(), type, tags, answer.body())) {
      case PageContent content -> new Page(content);
      case PageContent.Unsupported(var mediaType) ->
          new NoPage("content of type " + mediaType + " has no text for us");
    };
  }
}
