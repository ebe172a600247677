package io.tidemill.crawler.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.support.Corpora;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import tools.jackson.databind.json.JsonMapper;

/// How well the main text is found on real pages that people have marked.
class MainTextBenchmarkTest {
  private static final String CORPUS = "content-extraction/";

  @Test
  void findsTheArticlesOfTheArticleExtractionBenchmark(TestReporter reporter) {
    var pages = articles();

    var all = score(pages, _ -> true);
    reporter.publishEntry("article extraction, 181 pages", all.toString());

    assertThat(pages).hasSize(181);
    assertThat(all.f1()).isGreaterThanOrEqualTo(0.980); // trafilatura: 0.958, readability: 0.947
  }

  @Test
  void findsThemAsWellOnEitherHalfOfTheSites(TestReporter reporter) {
    var pages = articles();

    var even = score(pages, page -> page.half() == 0);
    var odd = score(pages, page -> page.half() == 1);
    reporter.publishEntry(Map.of("half of the sites", "" + even, "other half", "" + odd));

    assertThat(List.of(even.f1(), odd.f1())).allMatch(f1 -> f1 >= 0.975);
  }

  @Test
  void findsWhatReadersSeeOnTheReadabilityPages(TestReporter reporter) {
    var all = score(readabilityPages(), _ -> true);
    reporter.publishEntry("readability pages", all.toString());

    assertThat(all.f1()).isGreaterThanOrEqualTo(0.94);
  }

  private static ShingleScore score(List<Page> pages, Predicate<Page> which) {
    return ShingleScore.mean(
        pages.stream()
            .filter(which)
            .map(page -> ShingleScore.of(page.expected(), MainText.of(page.parse()).text()))
            .toList());
  }

  private static List<Page> articles() {
    var tar = Tar.read(Corpora.find(CORPUS + "article-extraction-benchmark.tar"));
    var truth = JsonMapper.shared().readTree(tar.text("ground-truth.json"));
    var pages = new ArrayList<Page>();
    for (var entry : truth.properties()) {
      var site = URI.create(entry.getValue().get("url").stringValue()).getHost();
      var html = tar.text("html/" + entry.getKey() + ".html.gz");
      pages.add(new Page(site, html, entry.getValue().get("articleBody").stringValue()));
    }
    return pages;
  }

  private static List<Page> readabilityPages() {
    var tar = Tar.read(Corpora.find(CORPUS + "readability-test-pages.tar.gz"));
    var pages = new ArrayList<Page>();
    for (var name : tar.names()) {
      if (!name.endsWith("/source.html")) continue;
      var site = name.substring(0, name.indexOf('/'));
      var expected = Jsoup.parse(tar.text(site + "/expected.html")).wholeText();
      pages.add(new Page(site, tar.text(name), expected));
    }
    return pages;
  }

  private record Page(String site, String html, String expected) {
    Document parse() {
      return Jsoup.parse(html);
    }

    int half() {
      return site.hashCode() & 1;
    }
  }
}
