package io.tidemill.cli.crawl;

import static io.tidemill.cli.FakeGateway.Canned.events;
import static io.tidemill.cli.FakeGateway.Canned.json;
import static io.tidemill.cli.FakeGateway.Canned.noContent;
import static io.tidemill.cli.FakeGateway.Canned.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.cli.CommandRun;
import io.tidemill.cli.FakeGateway;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class CrawlCommandTest {
  private static final String ID = "38e9351d-ab05-428b-a6ec-ddd100678807";
  private static final String STARTED =
      "{\"id\":\"%s\",\"url\":\"http://a/\",\"status\":\"pending\"}".formatted(ID);
  private static final String SITE =
      """
      {"id":"%s","status":"completed","result":{"url":"http://a/","pages":[]},
       "progress":{"found":1204,"fetched":1200,"skipped":3,"failed":1,"bytes":12400000,"waiting":0},
       "startedAt":"2026-01-04T01:09:27.000Z","endedAt":"2026-01-04T01:09:37.000Z"}
      """
          .formatted(ID);

  private static final String PREVIEWED =
      """
      {"id":"%s","status":"completed","result":{"preview":{"url":"http://a/","identity":"http://a/",
       "robots":{"allowed":true,"status":"found","crawlDelayMs":2000,"sitemaps":[]},
       "page":{"status":200,"title":"Tide mills","contentType":"text/html","text":"Mills that the moon drives."},
       "links":{"found":59,"followed":2,"refused":[{"reason":"outside the host a","count":57,"example":"http://b/"}],
        "first":["http://a/1","http://a/2"]},
       "sitemap":{"read":false,"urls":0},"pauseMs":2000,"estimate":{"pages":3,"atLeastMs":4000}}}}
      """
          .formatted(ID);

  private final CommandRun command = new CommandRun();
  private final FakeGateway gateway = command.gateway();

  CrawlCommandTest() throws IOException {}

  @AfterEach
  void stopTheGateway() {
    command.close();
  }

  @Test
  void asksForOnePageUnlessToldOtherwise() {
    gateway.on("POST /api/crawls", json(202, STARTED));

    assertThat(command.run("crawl", "http://a/")).isZero();

    assertThat(sent())
        .isEqualTo(Json.parse("{\"url\":\"http://a/\",\"email\":\"cli@tidemill.local\"}"));
    assertThat(command.out()).isEqualTo(ID + "\n");
    assertThat(command.err())
        .contains("tidemill crawl follow " + ID, gateway.url() + "/api/crawls/" + ID);
  }

  @Test
  void sendsEveryOption() {
    gateway.on("POST /api/crawls", json(202, STARTED));

    var line =
        "crawl http://a/ --pages 100 --depth 3 --email me@example.org --scope prefix"
            + " --include /docs/.* --include \\.html$ --exclude a,b --sitemaps --recrawl"
            + " --max-bytes 10MB --max-seconds 60 --project tides";
    assertThat(command.run(line.split(" "))).isZero();

    assertThat(sent())
        .isEqualTo(
            Json.parse(
                """
                {"url":"http://a/","email":"me@example.org","maxPages":100,"maxDepth":3,
                 "scope":"prefix","include":["/docs/.*","\\\\.html$"],"exclude":["a,b"],
                 "sitemaps":true,"recrawl":true,"maxBytes":10000000,"maxSeconds":60,
                 "project":"tides"}
                """));
  }

  @Test
  void aDryRunTellsWhatTheCrawlWouldDo() {
    gateway
        .on("POST /api/crawls", json(202, STARTED))
        .on(path("/events"), events(crawled("completed")))
        .on(path(""), json(200, PREVIEWED));

    assertThat(command.run("crawl", "http://a/", "--pages", "50", "--dry-run")).isZero();

    assertThat(sent().path("dryRun").asBoolean(false)).isTrue();
    assertThat(command.out())
        .isEqualTo(
            """
            http://a/
            robots.txt   allows it
            pause        2.0 s between two pages
            page         200, text/html
            title        Tide mills
            text         Mills that the moon drives.
            links        2 of 59 would be followed
            not          57: outside the host a
            next         http://a/1
            next         http://a/2
            would fetch  3 pages or more, in 4.0 s or more
            """);
  }

  @Test
  void aDryRunTellsALimitFromAGuess() {
    gateway
        .on("POST /api/crawls", json(202, STARTED))
        .on(path("/events"), events(crawled("completed")))
        .on(path(""), json(200, PREVIEWED.replace("\"pages\":3", "\"pages\":2")));

    assertThat(command.run("crawl", "http://a/", "--pages", "2", "--dry-run")).isZero();

    assertThat(command.out()).contains("would fetch  2 pages (its limit), in 4.0 s or more");
  }

  @Test
  void handsTheAnswerToScriptsAsItIs() {
    gateway.on("POST /api/crawls", json(202, STARTED));

    command.run("crawl", "http://a/", "--json");

    assertThat(command.out()).isEqualTo(STARTED + "\n");
    assertThat(command.err()).isEmpty();
  }

  @Test
  void tellsARefusalInOneLine() {
    gateway.on("POST /api/crawls", problem(422, "url must be an absolute\\nhttp URL"));

    assertThat(command.run("crawl", "nonsense")).isEqualTo(ExitCode.FAILED);

    assertThat(command.err()).isEqualTo("tidemill: url must be an absolute\n");
    assertThat(command.out()).isEmpty();
  }

  @Test
  void followsInPlainLinesAFewSecondsApart() {
    gateway
        .on("POST /api/crawls", json(202, STARTED))
        .on(path("/events"), events(crawled("completed")))
        .on(path(""), json(200, SITE));

    assertThat(command.run("crawl", "http://a/", "--pages", "2000", "--follow")).isZero();

    assertThat(command.out().lines().map(line -> line.replaceFirst("^[0-9:.]{12} ", "T ")))
        .containsExactly(
            "T pending gateway.crawl",
            "T running crawler.start",
            "T progress crawler.progress 100 of 500 pages, 50 pages/s, 1.0 MB, 0:02",
            "T progress crawler.progress 700 of 1,204 pages, 1 failed, 93 pages/s, 7.0 MB, 0:07,"
                + " 3 skipped",
            "T completed crawler.completed",
            "1,200 pages fetched, 3 skipped, 1 failed, 12.4 MB in 10.0 s, 120 pages/s");
    assertThat(command.err()).isEqualTo("crawl %s\nlook closer: tidemill crawl pages %s\n", ID, ID);
  }

  @Test
  void movesABarThatFitsTheTerminal() {
    command.watched(60).with("NO_COLOR", "1");
    gateway.on(path("/events"), events(crawled("completed"))).on(path(""), json(200, SITE));

    assertThat(command.run("crawl", "follow", ID)).isZero();

    assertThat(moves())
        .containsExactly(
            "###------------  100 of 500 pages  50 pages/s  1.0 MB  0:02",
            "###------------  200 of 900 pages  67 pages/s  2.0 MB  0:03",
            "########-------  700 of 1,204 pages  1 failed  93 pages/s");
  }

  @Test
  void leavesTheBarOutWhereThereIsNoRoom() {
    command.watched(20);
    gateway.on(path("/events"), events(crawled("completed"))).on(path(""), json(200, SITE));

    command.run("crawl", "follow", ID);

    assertThat(moves())
        .containsExactly("100 of 500 pages", "200 of 900 pages", "700 of 1,204 pages");
  }

  @Test
  void drawsTheBarWithMoreThanAsciiWhereThatCanBeSeen() {
    command.watched(200).with("LANG", "de_DE.UTF-8");
    gateway.on(path("/events"), events(crawled("completed"))).on(path(""), json(200, SITE));

    command.run("crawl", "follow", ID);

    assertThat(command.out())
        .contains("\u001b[32m" + "━".repeat(8) + "\u001b[0m\u001b[2m" + "━".repeat(32));
  }

  @Test
  void countsThePagesThatWereAskedFor() {
    var progress = CrawlProgress.of(Json.parse("{\"found\":1000,\"fetched\":50}"));

    assertThat(progress.share(0)).isEqualTo(0.05);
    assertThat(progress.share(100)).isEqualTo(0.5);
    assertThat(CrawlProgress.of(Json.object()).share(0)).isZero();
  }

  @Test
  void saysWhenAHostAsksForAPause() {
    command.watched(120);
    var limited = "{\"found\":9,\"fetched\":1,\"rateLimitedUntil\":60000}";
    gateway
        .on(path("/events"), events(event("1-0", "progress", 1_000, limited) + end("completed")))
        .on(path(""), json(200, SITE));

    command.run("crawl", "follow", ID);

    assertThat(command.out())
        .containsPattern("1 of 9 pages  told to wait until \\d\\d:\\d\\d:\\d\\d");
  }

  @Test
  void goesOnWhereTheConnectionBroke() {
    gateway
        .on(
            path("/events"),
            events("retry: 1\n" + event("1-0", "running", 0, "{}"))
                .thenCut(() -> command.out().contains("running")),
            events(end("completed")))
        .on(path(""), json(200, SITE));

    assertThat(command.run("crawl", "follow", ID)).isZero();

    assertThat(gateway.seen("/api/crawls/" + ID + "/events"))
        .extracting(request -> request.header("last-event-id"))
        .containsExactly(Optional.empty(), Optional.of("1-0"));
    assertThat(command.err()).contains("the connection broke");
  }

  @Test
  void showsASinglePagesTitleAndItsFirstLines() {
    completed(
        "{\"title\":\"Ti\\u001b[2Jdes\",\"text\":\"One\\n\\n  two \\u009b31mthree\\n4\\n5\\n6\\n7\\n8\"}");

    command.run("crawl", "follow", ID);

    assertThat(command.out())
        .endsWith("\nTi[2Jdes\nOne\ntwo 31mthree\n4\n5\n6\n7\n")
        .doesNotContain("\u001b", "\u009b");
  }

  @Test
  void showsWhatOtherCrawlersAnswer() {
    for (var result : List.of("\"just text\"", "{\"message\":\"crawled before\"}", "[1]", "null")) {
      completed(result);
      assertThat(command.run("crawl", "follow", ID)).isZero();
    }

    assertThat(command.out()).contains("just text\n", "crawled before\n");
    assertThat(command.err()).contains("tidemill crawl show " + ID);
  }

  @Test
  void failsWithTheReasonWhenTheCrawlFails() {
    gateway
        .on(path("/events"), events(crawled("failed")))
        .on(
            path(""),
            json(200, "{\"status\":\"failed\",\"result\":{\"errorMessage\":\"no such host\"}}"));

    assertThat(command.run("crawl", "follow", ID)).isEqualTo(ExitCode.FAILED);
    assertThat(command.err()).isEqualTo("tidemill: the crawl failed: no such host\n");
  }

  @Test
  void failsWhenTheCrawlIsCanceledAndSaysWhatStoppedOne() {
    gateway
        .on(path("/events"), noContent())
        .on(path(""), json(200, "{\"status\":\"canceled\",\"stoppedBy\":\"maxBytes\"}"));

    assertThat(command.run("crawl", "follow", ID)).isEqualTo(ExitCode.FAILED);
    assertThat(command.err()).isEqualTo("tidemill: the crawl was canceled\n");
    assertThat(command.out()).isEqualTo("stopped by maxBytes\n");
  }

  @Test
  void printsOneEventALineForScripts() {
    gateway
        .on("POST /api/crawls", json(202, STARTED))
        .on(path("/events"), events(crawled("canceled")));

    assertThat(command.run("crawl", "http://a/", "-f", "--json")).isEqualTo(ExitCode.FAILED);

    assertThat(command.out().lines().map(Json::parse)).hasSize(6);
    assertThat(command.err()).isEmpty();
  }

  @Test
  void tellsThatACrawlGoesOnAfterCtrlC() {
    assertThat(CrawlCommands.CRAWL.advice(ID))
        .contains("tidemill crawl follow " + ID, "tidemill crawl cancel " + ID);
  }

  @Test
  void showsListsAndCancelsCrawls() {
    var list = "{\"crawls\":[%s],\"total\":3}".formatted(STARTED);
    gateway
        .on(path(""), json(200, STARTED))
        .on("DELETE /api/crawls/" + ID, json(200, STARTED))
        .on("GET /api/crawls?email=me%40a.org&status=failed&limit=1", json(200, list))
        .on("GET /api/crawls?limit=50", json(200, "{\"crawls\":[]}"));

    assertThat(command.run("crawl", "show", ID)).isZero();
    assertThat(command.run("crawl", "cancel", ID)).isZero();
    assertThat(
            command.run(
                "crawl", "list", "--email", "me@a.org", "--status", "failed", "--limit", "1"))
        .isZero();
    assertThat(command.run("crawl", "list")).isZero();

    assertThat(command.out())
        .contains("\"status\" : \"pending\"", "canceled\n", ID + "  pending  ", "no crawls\n");
    assertThat(command.err()).isEqualTo("2 more; see them with --before 1\n");
  }

  @Test
  void tellsThatACrawlHasEndedBefore() {
    gateway.on("DELETE /api/crawls/" + ID, problem(409, "the crawl has already ended as failed"));

    assertThat(command.run("crawl", "cancel", ID)).isEqualTo(ExitCode.FAILED);
    assertThat(command.err()).isEqualTo("tidemill: the crawl has already ended as failed\n");
  }

  @Test
  void listsWhatBecameOfEachPage() {
    gateway.on(
        "GET /api/crawls/" + ID + "/pages?limit=2&offset=4",
        json(
            200,
            """
            {"pages":[
             {"url":"http://a/1","outcome":"fetched","status":200,"title":"On\\u001be","bytes":1234},
             {"url":"http://a/2","outcome":"failed","reason":"timed\\nout"}]}
            """));

    assertThat(command.run("crawl", "pages", ID, "--limit", "2", "--offset", "4")).isZero();

    assertThat(command.out())
        .isEqualTo(
            """
            fetched  200     1.2 kB  http://a/1  One
            failed                   http://a/2  timed out
            """);
    assertThat(command.err()).contains("--offset 6");
  }

  private void completed(String result) {
    gateway
        .on(path("/events"), noContent())
        .on(
            path(""),
            json(
                200,
                "{\"id\":\"%s\",\"status\":\"completed\",\"result\":%s}".formatted(ID, result)));
  }

  private JsonNode sent() {
    return Json.parse(gateway.seen("/api/crawls").getFirst().body());
  }

  private List<String> moves() {
    return List.of(command.out().split("\r\u001b\\[K")).stream()
        .filter(line -> line.contains(" of "))
        .map(line -> line.lines().findFirst().orElse(""))
        .toList();
  }

  private static String path(String more) {
    return "GET /api/crawls/" + ID + more;
  }

  private static String crawled(String end) {
    return event("1-0", "pending", 1_000, "gateway.crawl", "{}")
        + event("2-0", "running", 10_000, "crawler.start", "{}")
        + progress("3-0", 12_000, 500, 100, 0)
        + progress("4-0", 13_000, 900, 200, 0)
        + progress("5-0", 17_500, 1_204, 700, 1)
        + end(end);
  }

  private static String end(String type) {
    return event("9-0", type, 20_000, "{\"text\":\"much\"}");
  }

  private static String progress(String id, long ts, int found, int fetched, int failed) {
    return event(
        id,
        "progress",
        ts,
        "{\"found\":%d,\"fetched\":%d,\"skipped\":%d,\"failed\":%d,\"bytes\":%d,\"waiting\":9}"
            .formatted(found, fetched, failed * 3, failed, fetched * 10_000L));
  }

  private static String event(String id, String type, long ts, String data) {
    return event(id, type, ts, "crawler." + type, data);
  }

  private static String event(String id, String type, long ts, String step, String data) {
    return "id: %s\nevent: %s\ndata: {\"id\":\"%s\",\"type\":\"%s\",\"ts\":%d,\"step\":\"%s\",\"data\":%s}\n\n"
        .formatted(id, type, id, type, ts, step, data);
  }
}
