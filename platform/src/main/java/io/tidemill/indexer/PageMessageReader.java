package io.tidemill.indexer;

import io.tidemill.content.fingerprint.Digest;
import io.tidemill.contract.page.PageFacts;
import io.tidemill.contract.page.PageGone;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.contract.page.PageText;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import java.time.Instant;

/// Turns messages into changes of the index; other programs may publish pages with fewer headers.
final class PageMessageReader {
  private PageMessageReader() {}

  /// @param now bounds the time of the page: a clock that runs ahead would reject all later
  ///   versions
  static PageChange put(PageMessage page, PageFacts facts, String messageId, Instant now) {
    // Nobody could find or recognise a page without any text; an older version of it, with a text
    // that is no longer there, is removed.
    if (isEmpty(page)) return new PageChange.Remove(page.url(), earlier(page.timestamp(), now));
    var text = PageText.of(page.text(), facts.shape());
    return new PageChange.Put(
        new PageDocument(
            page.url(),
            facts.fetchedUrl().isEmpty() ? page.url() : facts.fetchedUrl(),
            page.title(),
            page.description(),
            main(text),
            rest(text),
            facts.language(),
            facts.type(),
            page.statusCode(),
            earlier(page.timestamp(), now),
            facts.publishedAt(),
            facts.crawlId(),
            facts.contentHash().isEmpty()
                ? Digest.sha256().add(page.text()).hex()
                : facts.contentHash(),
            messageId));
  }

  private static boolean isEmpty(PageMessage page) {
    return page.text().isBlank() && page.title().isBlank() && page.description().isBlank();
  }

  static PageChange remove(PageGone gone, Instant now) {
    return new PageChange.Remove(gone.url(), earlier(gone.timestamp(), now));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static String main(PageText text) {
    if (text.main().isEmpty()) return text.readable();
    var main = new StringBuilder();
    for (var span : text.main()) add(main, text.readable(), span.start(), span.end());
    return main.toString();
  }

  private static String rest(PageText text) {
    if (text.main().isEmpty()) return "";
    var rest = new StringBuilder();
    var at = 0;
    for (var span : text.main()) {
      add(rest, text.readable(), at, span.start());
      at = span.end();
    }
    add(rest, text.readable(), at, text.readable().length());
    return rest.toString();
  }

  // Separate parts stay separate.
  private static void add(StringBuilder to, String text, int start, int end) {
    var part = text.substring(start, end).strip();
    if (part.isEmpty()) return;
    if (!to.isEmpty()) to.append('\n');
    to.append(part);
  }
}
