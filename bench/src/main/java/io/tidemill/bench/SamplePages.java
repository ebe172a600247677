package io.tidemill.bench;

import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageFacts;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.search.PageDocument;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Pages of about 13 KB of text that all differ.
final class SamplePages {
  private static final int LENGTH = 13_000;
  private static final Instant FETCHED = Instant.parse("2026-01-01T00:00:00Z");

  private SamplePages() {}

  static List<PageDocument> make(int count) {
    var prose = new ProseGenerator(11);
    var pages = new ArrayList<PageDocument>(count);
    for (int i = 0; i < count; i++) pages.add(page(prose, i));
    return pages;
  }

  private static PageDocument page(ProseGenerator prose, int number) {
    var main = new StringBuilder(LENGTH + 700);
    while (main.length() < LENGTH) main.append(prose.paragraph(600)).append('\n');
    return new PageDocument(
        "http://site%d.example/p/%d".formatted(number % 50, number),
        prose.title(),
        prose.title(),
        main.toString(),
        "",
        "en",
        "text/html",
        200,
        FETCHED.plusSeconds(number),
        null,
        "bench",
        "",
        "");
  }

  /// The page as a message carries it.
  static byte[] body(PageDocument page) {
    return PageCodec.encode(
        new PageMessage(
            page.url(),
            page.main(),
            page.title(),
            page.description(),
            page.fetchedAt(),
            page.statusCode()));
  }

  static PageFacts facts(PageDocument page) {
    return new PageFacts("bench", "", page.language(), page.type(), null, "", new byte[0]);
  }
}
