package io.tidemill.crawler;

import io.tidemill.content.html.PageContent;
import io.tidemill.content.html.PageReader;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.robots.PageRules;
import io.tidemill.contract.page.PageText;
import io.tidemill.crawler.document.DocumentReader;
import io.tidemill.crawler.document.DocumentReading;
import io.tidemill.crawler.document.ParsedDocument;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.fetch.FetchResult;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Parses bodies: HTML and text here, documents in a child process.
final class BodyParser {
  private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors() * 2);

  /// A parsed body.
  sealed interface Body {}

  record Page(PageContent content) implements Body {}

  record NoPage(String why) implements Body {}

  private static final int LANGUAGE_SAMPLE = 2_000;
  private static final int LONGEST_TITLE = 200;

  private final PageReader pages;
  private final DocumentReader documents;
  private final LanguageDetector languages;
  private final String agent;
  private final ScopeConfig scopes;
  // A tree of a page takes many times its bytes: only a few are in memory at once.
  private final Semaphore parsers = new Semaphore(AT_ONCE);

  BodyParser(
      PageReader pages,
      DocumentReader documents,
      LanguageDetector languages,
      ScopeConfig scopes,
      String agent) {
    this.agent = agent;
    this.pages = pages;
    this.documents = documents;
    this.languages = languages;
    this.scopes = scopes;
  }

  ScopeConfig scopes() {
    return scopes;
  }

  Body read(FetchResult.Answer answer) {
    var type = answer.headers().first("Content-Type").orElse(null);
    if (documents.reads(answer.body(), type)) return document(answer, type);
    parsers.acquireUninterruptibly();
    try {
      return readOne(answer);
    } finally {
      parsers.release();
    }
  }

  private Body readOne(FetchResult.Answer answer) {
    var headers = answer.headers();
    var type = headers.first("Content-Type").orElse(null);
    var tags = headers.all("X-Robots-Tag");
    return switch (pages.read(answer.url(), type, tags, answer.body())) {
      case PageContent content -> new Page(content);
      case PageContent.Unsupported(var mediaType) ->
          new NoPage("content of type " + mediaType + " has no text for us");
    };
  }

  private Body document(FetchResult.Answer answer, @Nullable String type) {
    var rules = PageRules.of(List.of(), answer.headers().all("X-Robots-Tag"), agent);
    return switch (documents.read(answer.body(), type)) {
      case ParsedDocument document -> new Page(content(document, rules));
      case DocumentReading.Failed(var _, var why) -> new NoPage(why);
    };
  }

  private PageContent content(ParsedDocument document, PageRules rules) {
    var text = document.text();
    var sample = text.substring(0, Math.min(text.length(), LANGUAGE_SAMPLE));
    return new PageContent(
        document.title().isEmpty() ? firstLine(text) : document.title(),
        "",
        new PageText(text, List.of()),
        languages.detect(sample, document.language()),
        null,
        List.of(),
        rules,
        document.createdAt(),
        document.modifiedAt(),
        "utf-8",
        document.mediaType(),
        List.of(),
        "");
  }

  private static String firstLine(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .map(line -> line.substring(0, Math.min(line.length(), LONGEST_TITLE)))
        .orElse("");
  }
}
