package io.tidemill.cli.search;

import static io.tidemill.cli.FakeGateway.Canned.json;
import static io.tidemill.cli.FakeGateway.Canned.noContent;
import static io.tidemill.cli.FakeGateway.Canned.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.cli.CommandRun;
import io.tidemill.cli.FakeGateway;
import io.tidemill.cli.terminal.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchCommandTest {
  private static final String FOUND =
      """
      {"total":12,"page":2,"size":10,"tookMs":7,"hits":[
        {"url":"https://a.example/x","title":"Tide tables","titleHighlighted":"<em>Tide</em> tables",
         "snippet":"when the <em>tide</em> &amp; the <em>moon</em> meet","score":1.5,"site":"a.example",
         "language":"en","type":"text/html","fetchedAt":"2026-01-04T01:09:27.123Z",
         "publishedAt":null,"explanation":["tide in the title"]}],
       "facets":{"site":[{"value":"a.example","count":11},{"value":"b.example","count":1}],
                 "language":[{"value":"en","count":12}],"type":[]}}
      """;

  private final CommandRun command = new CommandRun();
  private final FakeGateway gateway = command.gateway();

  SearchCommandTest() throws IOException {}

  @AfterEach
  void stopTheGateway() {
    command.close();
  }

  @Test
  void showsWhatWasFound() {
    gateway.on("GET /api/search?q=tide%20%26%20moon&page=2", json(200, FOUND));

    assertThat(command.run("search", "tide", "&", "moon", "--page", "2")).isZero();

    assertThat(command.out())
        .isEqualTo(
            """
            12 pages found (7 ms)

            11. Tide tables
                https://a.example/x
                when the tide & the moon meet
                text/html, en, fetched 2026-01-04
                tide in the title

            site: a.example 11, b.example 1; language: en 12
            """);
    assertThat(command.err()).isEqualTo("more with --page 3\n");
  }

  @Test
  void asksForWhatWasWanted() {
    gateway.on(
        "GET /api/search?q=x&site=a.example&lang=en&type=pdf&from=2026-01-01&to=2026-02-01"
            + "&sort=newest&mode=keyword&page=1&size=5&explain=true",
        json(200, "{\"total\":0,\"hits\":[]}"));

    var line =
        "search x --site a.example --lang en --type pdf --from 2026-01-01 --to 2026-02-01"
            + " --sort newest --mode keyword --page 1 --size 5 --explain";

    assertThat(command.run(line.split(" "))).isZero();
  }

  @Test
  void findsWordsThatBeginWithADash() {
    gateway.on("GET /api/search?q=tide%20-moon", json(200, "{\"total\":0,\"hits\":[]}"));

    assertThat(command.run("search", "--", "tide", "-moon")).isZero();
  }

  @Test
  void marksMatchesOnATerminalAndBreaksLinesBetweenWords() {
    command.watched(40);
    gateway.on(
        "GET /api/search?q=x", json(200, hit("a <em>very long</em> story of many words in it")));

    command.run("search", "x");

    assertThat(command.out().lines())
        .contains(
            "    a \u001b[1m\u001b[33mvery long\u001b[0m\u001b[0m story of many words in",
            "    it");
  }

  @Test
  void letsNothingOfAPageSteerTheTerminal() { // F54
    command.watched(200).with("NO_COLOR", "1");
    gateway.on(
        "GET /api/search?q=x",
        json(
            200,
            hit(
                "\\u001b[2Ja\\u009b31mb &#27;]0;evil&#7; &#x1b;c \\u202Ereversed <em>\\u001b[1m</em>"
                    + " &lt;script&gt; &amp;lt; &lt;em&gt; <script>alert(1)</script> &#55357; &#0; &#x110000;")));

    command.run("search", "x");

    assertThat(command.out())
        .contains(
            "[2Ja31mb ]0;evil c reversed [1m <script> &lt; <em> <script>alert(1)</script>"
                + " \uFFFD \uFFFD \uFFFD");
    assertThat(command.out().codePoints())
        .allMatch(c -> c == '\n' || (!Character.isISOControl(c) && c != 0x202E));
  }

  @Test
  void letsNoOtherFieldSteerItEither() {
    var bad = "\\u001b]0;x\\u0007\\nsecond\\u009b";
    gateway.on(
        "GET /api/search?q=x",
        json(
            200,
            """
            {"total":1,"hits":[{"url":"%1$s","title":"%1$s","snippet":"","language":"%1$s",
             "type":"%1$s","fetchedAt":"%1$s","explanation":["%1$s"]}],
             "facets":{"%1$s":[{"value":"%1$s","count":1}]},"didYouMean":"%1$s"}
            """
                .formatted(bad)));

    assertThat(command.run("search", "x")).isZero();

    assertThat(command.out() + command.err()).doesNotContain("\u001b", "\u0007", "\u009b");
    assertThat(command.out().lines()).noneMatch(line -> line.startsWith("second"));
  }

  @Test
  void saysThatNothingWasFoundAndWhatMayHaveBeenMeant() {
    gateway.on(
        "GET /api/search?q=tyde",
        json(
            200,
            "{\"total\":0,\"tookMs\":3,\"hits\":[],\"didYouMean\":\"tide\",\"timedOut\":true}"));

    assertThat(command.run("search", "tyde")).isZero();

    assertThat(command.out()).isEqualTo("nothing found for tyde (3 ms)\n");
    assertThat(command.err())
        .isEqualTo("did you mean: tide\nthe search ran out of time: there may be more\n");
  }

  @Test
  void givesScriptsTheAnswerAsItIs() {
    var answer =
        "{\"total\":1,\"hits\":[{\"snippet\":\"<em>a</em> &lt; \\u001b \\u009b\"}],\"x\":1.50}";
    gateway.on("GET /api/search?q=x", json(200, answer));

    command.run("search", "x", "--json");

    assertThat(command.out().toLowerCase(java.util.Locale.ROOT)).isEqualTo(answer + "\n");
  }

  @Test
  void tellsARefusalInOneLine() {
    gateway.on("GET /api/search?q=x&size=5000", problem(422, "size must be at most 100"));

    assertThat(command.run("search", "x", "--size", "5000")).isEqualTo(ExitCode.FAILED);
    assertThat(command.err()).isEqualTo("tidemill: size must be at most 100\n");
  }

  @Test
  void showsAndDeletesAPage() {
    var page = "/api/pages?url=https%3A%2F%2Fa.example%2F%3Fq%3D1%26r";
    gateway
        .on("GET " + page, json(200, "{\"url\":\"https://a.example/?q=1&r\"}"))
        .on("DELETE " + page, noContent());

    assertThat(command.run("pages", "show", "https://a.example/?q=1&r")).isZero();
    assertThat(command.run("pages", "delete", "https://a.example/?q=1&r")).isZero();

    assertThat(command.out()).contains("\"url\" : ", "deleted https://a.example/?q=1&r\n");
  }

  @Test
  void showsWhatWasCollected() {
    gateway
        .on(
            "GET /api/analytics/projects?limit=10",
            json(
                200,
                "{\"projects\":[{\"project\":\"web\",\"totals\":{\"items\":3,\"batches\":1,\"failed\":2}}],\"next\":\"web\"}"))
        .on(
            "GET /api/analytics/projects/a%2Fb?keywords=2&items=2",
            json(
                200,
                """
                {"totals":{"items":1,"batches":1,"failed":1},"duplicates":0,"latest":"now",
                 "platforms":[{"platform":"tiktok","items":1,"sentiment":0.5}],
                 "languages":[{"language":"","items":1,"sentiment":null}],
                 "keywords":[{"keyword":"car","items":1}],
                 "items":[{"impact":42.04,"url":"https://t.example/1","text":"a\\u001b b"}],
                 "failures":[{"code":"TIMEOUT","items":1}]}
                """));

    assertThat(command.run("analytics")).isZero();
    assertThat(command.run("analytics", "a/b", "--limit", "2")).isZero();

    assertThat(command.out())
        .contains("web", "3 items in 1 batch, 2 failed")
        .contains("tiktok       1 items, sentiment +0.50")
        .contains("no language  1 items")
        .contains("keywords: car (1)")
        .contains(" 42.0  https://t.example/1")
        .contains("failed: TIMEOUT 1")
        .doesNotContain("\u001b");
  }

  @Test
  void listsTheToolsThatWorkersOffer() {
    gateway.on(
        "GET /v1/tools",
        json(
            200,
            "{\"tools\":[{\"name\":\"echo\",\"description\":\"Returns\\u001b it.\"},{\"name\":\"old\",\"description\":\"\"}]}"));

    assertThat(command.run("tools")).isZero();

    assertThat(command.out())
        .startsWith("echo\n    Returns")
        .endsWith("\nold\n")
        .doesNotContain("\u001b");
  }

  private static String hit(String snippet) {
    return "{\"total\":1,\"hits\":[{\"url\":\"http://a/\",\"snippet\":\"%s\"}]}".formatted(snippet);
  }
}
