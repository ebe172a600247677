package io.tidemill.processor.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemill.api.RecordReader;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.json.Json;
import io.tidemill.processor.chart.ChartPoint;
import io.tidemill.search.SearchResult.Count;
import io.tidemill.testing.Corpora;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ReportsTest {
  private static final Instant AT = Instant.parse("2026-01-04T01:10:00Z");

  @Test
  void aPageIsInOneColumnOfItsAgeOnly() {
    var spans =
        List.of(
            new Count("day", 2),
            new Count("week", 5),
            new Count("month", 5),
            new Count("year", 9),
            new Count("older", 4));

    assertThat(OverviewReport.ages(spans))
        .extracting(ChartPoint::value)
        .containsExactly(2., 3., 0., 4., 4.);
  }

  @Test
  void aCrawlFillsPagesThatOpen() throws Exception {
    var html = ReportPage.html(CrawlReport.of(crawl("The guide"), "", AT));
    var pdf = ReportPdf.print(html);

    assertThat(new String(pdf.bytes(), 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
    try (var document = Loader.loadPDF(pdf.bytes())) {
      assertThat(document.getNumberOfPages()).isEqualTo(pdf.pages()).isBetween(2, 5);
      assertThat(document.getPage(0).getMediaBox().getWidth())
          .isCloseTo(595.3f, org.assertj.core.data.Offset.offset(1f)); // A4
      assertThat(text(document))
          .contains("Crawl of www.example.org")
          .contains("Pages fetched")
          .contains("Status codes")
          .contains("docs.example.org")
          .contains("the page is not there")
          .contains("Page 1 of " + pdf.pages())
          .contains("Page " + pdf.pages() + " of " + pdf.pages())
          .contains("Tidemill");
    }
  }

  @Test
  void theFontIsInTheFile() throws Exception {
    var pdf = ReportPdf.print(ReportPage.html(CrawlReport.of(crawl("Überblick"), "Привет", AT)));

    try (var document = Loader.loadPDF(pdf.bytes())) {
      for (var page : document.getPages()) {
        for (var name : page.getResources().getFontNames()) {
          assertThat(page.getResources().getFont(name).isEmbedded()).isTrue();
        }
      }
      assertThat(text(document)).contains("Привет");
    }
  }

  @Test
  void lettersThatTheFontLacksDoNoHarm() throws Exception {
    var title = "日本語 🎉 \ud83d العربية \u0000\ufffe " + "\u0301".repeat(20);
    var report = CrawlReport.of(crawl("한국어 🚀 שלום"), title, AT);

    try (var document = Loader.loadPDF(ReportPdf.print(ReportPage.html(report)).bytes())) {
      assertThat(text(document)).contains("Pages fetched");
    }
  }

  @Test
  void nothingIsLoadedFromElsewhere() throws Exception {
    try (var server = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(50);
      var there = "http://127.0.0.1:" + server.getLocalPort() + "/x";
      var html =
          """
          <html><head><link rel="stylesheet" href="%1$s"/><style>@import url(%1$s);
          body { background: url(%1$s) } @font-face { font-family: x; src: url(%1$s) }</style></head>
          <body style="font-family: x"><img src="%1$s"/><img src="file:///etc/hostname"/>
          <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">
          <image xlink:href="%1$s" width="5" height="5"/><use xlink:href="%1$s#a"/></svg>calm</body></html>
          """
              .formatted(there);

      try (var document = Loader.loadPDF(ReportPdf.print(html).bytes())) {
        assertThat(text(document)).contains("calm");
      }
      assertThatCode(server::accept).isInstanceOf(java.net.SocketTimeoutException.class);
    }
  }

  @Test
  void hostileTextStaysText() throws Exception { // F54
    var calm = shape(ReportPage.html(CrawlReport.of(crawl("calm"), "calm", AT)));
    for (var line : Corpora.lines("hostile/xss-strings.jsonl").subList(0, 100)) {
      var hostile = line.path("payload").asString();
      var html = ReportPage.html(CrawlReport.of(crawl(hostile), hostile + "x", AT));

      assertThat(shape(html)).as(hostile).isEqualTo(calm);
      assertWellFormed(html);
    }
  }

  private static String shape(String html) {
    var shape = new StringBuilder();
    for (var element : Jsoup.parse(html).getAllElements()) {
      shape.append(element.tagName()).append(' ');
      for (var attribute : element.attributes()) {
        assertThat(attribute.getKey()).doesNotStartWith("on");
        if (attribute.getKey().equals("href")) {
          assertThat(attribute.getValue()).startsWith("https://");
        }
      }
    }
    return shape.toString();
  }

  private static void assertWellFormed(String html) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(html.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aPageNeedsNoScriptAndNothingElse() throws Exception {
    var html = ReportPage.html(CrawlReport.of(crawl("t"), "", AT));

    assertWellFormed(html);
    assertThat(html).doesNotContain("<script").doesNotContain(" src=").doesNotContain("url(");
    assertThat(html).contains("default-src 'none'");
  }

  @Test
  void aCrawlThatBroughtNothingMakesAReportToo() throws Exception {
    var crawl =
        new CrawlData(
            "c",
            "https://www.example.org/",
            CrawlStatus.FAILED,
            Map.of(),
            null,
            null,
            "",
            "no connection",
            List.of(),
            List.of());

    var html = ReportPage.html(CrawlReport.of(crawl, "", AT));

    assertThat(html).contains("It failed: no connection");
    assertThat(ReportPdf.print(html).pages()).isEqualTo(1);
  }

  @Test
  void recordsAreDescribedByWhatTheyHold() throws Exception {
    var rows = new ArrayList<JsonNode>();
    for (int i = 0; i < 100; i++) {
      rows.add(
          Json.object()
              .put("day", AT.plusSeconds(i * 3_600L).toString())
              .put("country", i % 3 == 0 ? "Norway" : "Kenya")
              .put("amount", i)
              .put("note", "note " + i));
    }
    rows.add(Json.object().putNull("amount").set("note", Json.object()));
    rows.add(Json.tree(7));

    var html = ReportPage.html(records(rows, "[]"));

    var text = Jsoup.parse(html).text();
    assertThat(text)
        .contains("102 Records")
        .contains("Records by day")
        .contains("Most frequent country")
        .contains("Kenya")
        .contains("How amount is spread")
        .contains("amount 100 0 49.5 49.5 99 4,950");
    assertThat(text).doesNotContain("Most frequent note");
  }

  @Test
  void numbersThatAreTooLargeToCalculateWithAreLeftOut() throws Exception {
    var rows =
        List.of(
            Json.parse("{\"k\":\"a\",\"n\":1e350}"),
            Json.parse("{\"k\":\"a\",\"n\":%s}".formatted("9".repeat(310))),
            Json.parse("{\"k\":\"a\",\"n\":3}"));

    var html = ReportPage.html(records(rows, "[{\"x\":\"k\",\"y\":\"n\"}]"));

    assertThat(Jsoup.parse(html).text()).contains("3 Records").contains("n 1 3 3 3 3 3");
    assertThat(html).contains("<title>a: 3</title>");
  }

  @Test
  void chartsThatWereAskedForAreDrawn() throws Exception {
    var rows =
        List.<JsonNode>of(
            Json.object().put("k", "10").put("v", 5),
            Json.object().put("k", "9").put("v", 2),
            Json.object().put("k", "9").put("v", 3),
            Json.object().put("other", 1));

    var html =
        ReportPage.html(
            records(
                rows,
                "[{\"x\":\"k\",\"y\":\"v\",\"title\":\"Sold\"},{\"type\":\"line\",\"x\":\"k\"}]"));

    var text = Jsoup.parse(html).text();
    assertThat(text).contains("Sold").contains("Records by k").contains("9 10");
    assertThat(html).contains("<title>9: 5</title>").contains("<title>10: 5</title>");
  }

  @Test
  void aRingIsOfAllValues() throws Exception {
    var rows = new ArrayList<JsonNode>();
    for (int i = 0; i < 50; i++) rows.add(Json.object().put("k", i < 10 ? "often" : "rare " + i));

    var html = ReportPage.html(records(rows, "[{\"type\":\"donut\",\"x\":\"k\"}]"));

    assertThat(html).contains("<title>often: 10</title>").contains("<title>other: 35</title>");
    assertThat(Jsoup.parse(html).text()).contains("often 20%").contains("other 70%");
  }

  @Test
  void theTypesOfACrawlAreOfAllItsPages() {
    var visits = new ArrayList<CrawlData.Visit>();
    for (int i = 0; i < 50; i++) {
      var type = i < 10 ? "text/html" : "x/" + i;
      visits.add(
          new CrawlData.Visit(
              "https://www.example.org/" + i, "fetched", 200, "", 1, -1, "", "", type, null));
    }

    var html = ReportPage.html(CrawlReport.of(crawl(visits, List.of()), "", AT));

    assertThat(html).contains("<title>text/html: 10</title>").contains("<title>other: 35</title>");
  }

  @Test
  void noTitleIsLongerThanALine() throws Exception { // F50
    var tedious = "wordy ".repeat(100_000);
    var charts =
        Json.text(List.of(Map.of("x", "k", "title", tedious), Map.of("x", tedious, "y", tedious)));
    var rows = List.<JsonNode>of(Json.object().put("k", 1).put(tedious, 2));
    var report =
        RecordsReport.of(
            reader(rows.iterator()), RequestedChart.read(Json.parse(charts)), tedious, tedious, AT);
    var ours = RecordsReport.of(reader(rows.iterator()), List.of(), "", tedious, AT);

    for (var each : List.of(report, ours)) {
      var html = ReportPage.html(each);
      assertThat(html).hasSizeLessThan(60_000);
      assertThat(ReportPdf.print(html).pages()).isLessThan(5);
    }
    assertThat(report.title()).hasSize(200).contains("…");
    assertThat(report.subtitle()).hasSize(200);
  }

  @Test
  void manyRecordsNeedLittleMemory() throws Exception {
    var endless =
        new Iterator<JsonNode>() {
          private int made;

          @Override
          public boolean hasNext() {
            return made < 300_000;
          }

          @Override
          public JsonNode next() {
            made++;
            return Json.object()
                .put("id", "id-" + made)
                .put("n", made % 100)
                .put("x" + made % 500, 1);
          }
        };

    var report = RecordsReport.of(reader(endless), List.of(), "Many", "", AT);

    assertThat(Jsoup.parse(ReportPage.html(report)).text()).contains("300,000 Records");
  }

  @Test
  void fieldsOfManyValuesLeaveRoomForOthers() throws Exception {
    var rows = new ArrayList<JsonNode>();
    for (int i = 0; i < 2_000; i++) {
      var row = Json.object();
      for (int f = 0; f < 50; f++) row.put("id" + f, f + "-" + i);
      rows.add(row.put("late", i < 1_500 ? "usual" : "new " + i % 3).put("n", i));
    }

    var text = Jsoup.parse(ReportPage.html(records(rows, "[]"))).text();

    assertThat(text).contains("Most frequent late").contains("new 2");
    assertThat(text).doesNotContain("Most frequent id");
    assertThat(text).contains("n 2,000 0 999.5 999.5 1,999");
  }

  private static ReportContent records(List<JsonNode> rows, String charts) throws Exception {
    return RecordsReport.of(
        reader(rows.iterator()), RequestedChart.read(Json.parse(charts)), "", "January", AT);
  }

  private static RecordReader reader(Iterator<JsonNode> rows) {
    return new RecordReader() {
      @Override
      public @Nullable JsonNode next() {
        return rows.hasNext() ? rows.next() : null;
      }

      @Override
      public void close() {}
    };
  }

  private static String text(PDDocument document) throws IOException {
    return new PDFTextStripper().getText(document);
  }

  /// @param title of its pages, and whatever else sites can choose
  private static CrawlData crawl(String title) {
    var visits = new ArrayList<CrawlData.Visit>();
    for (int i = 0; i < 60; i++) {
      var host = i % 3 == 0 ? "docs.example.org" : "www.example.org";
      var url = "https://" + host + "/" + i;
      visits.add(
          i % 10 == 9
              ? new CrawlData.Visit(
                  url, "failed", 404, "", 0, -1, "the page is not there " + title, "", "", null)
              : new CrawlData.Visit(
                  url,
                  "fetched",
                  200,
                  title,
                  1_000L * i,
                  i % 4,
                  "",
                  "en",
                  i % 5 == 0 ? title : "text/html",
                  AT.plusSeconds(i)));
    }
    return crawl(visits, List.of(new ChartPoint(title, 9), new ChartPoint("word", 5)));
  }

  private static CrawlData crawl(List<CrawlData.Visit> visits, List<ChartPoint> words) {
    return new CrawlData(
        "c-1",
        "https://www.example.org/",
        CrawlStatus.COMPLETED,
        Map.of("fetched", 54L, "failed", 6L, "bytes", 1_000_000L),
        AT,
        AT.plusSeconds(60),
        "maxPages",
        "",
        visits,
        words);
  }
}
