package io.tidemill.content.html;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.testing.Corpora;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import tools.jackson.databind.json.JsonMapper;

/// How well the main text is found on real pages that people have marked.
class MainTextBenchmarkTest {
  private static final String CORPUS = "content-extraction/";

  @Test
  void findsTheArticlesOfTheArticleExtractionBenchmark(TestReporter reporter) {
    var scores =
        articles().stream().collect(groupingBy(Page::half, mapping(Page::score, toList())));

    var all = ShingleScore.mean(scores.values().stream().flatMap(List::stream).toList());
    reporter.publishEntry("article extraction", all.toString());
    assertThat(all.f1()).isGreaterThanOrEqualTo(0.980); // trafilatura: 0.958, readability: 0.947

    assertThat(scores).hasSize(2);
    for (var half : scores.values()) {
      reporter.publishEntry("half of the sites", ShingleScore.mean(half).toString());
      assertThat(ShingleScore.mean(half).f1()).isGreaterThanOrEqualTo(0.975);
    }
  }

  @Test
  void findsWhatReadersSeeOnTheReadabilityPages(TestReporter reporter) {
    var all = ShingleScore.mean(readabilityPages().stream().map(Page::score).toList());

    reporter.publishEntry("readability pages", all.toString());
    assertThat(all.f1()).isGreaterThanOrEqualTo(0.94);
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
    ShingleScore score() {
      return ShingleScore.of(expected, MainText.of(Jsoup.parse(html)).text());
    }

    int half() {
      return site.hashCode() & 1;
    }
  }
}
