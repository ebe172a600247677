package io.tidemill.recordsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.lucene.SearchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordIndexTest {
  private static final String WORKFLOW = "wf-38e9351d-ab05-428b-a6ec-ddd100678807";

  @TempDir private Path dir;

  private RecordIndex index;

  @BeforeEach
  void open() {
    index = new RecordIndex(dir, 1_000, false);
  }

  @AfterEach
  void close() {
    index.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        WORKFLOW,
        "WF-38E9351D-AB05-428B-A6EC-DDD100678807",
        "wf-38e9",
        "38e9351d-ab05-428b-a6ec-ddd100678807",
        "38e9351d",
        "  wf-38e9351d ",
        "ab05-428b"
      })
  void isFoundByItsIdOrAPartOfIt(String typed) {
    put("workflow", WORKFLOW, "Nightly import", "");
    put("workflow", "wf-99999999-ab05-428c-a6ec-ddd100678807", "Nightly import", "");

    assertThat(ids(typed)).containsExactly(WORKFLOW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alice.smith@mail.example.org",
        "Alice.Smith@",
        "alice",
        "mail.example.org",
        "example.org",
        "smith exam"
      })
  void isFoundByAnAddressOrAPartOfIt(String typed) {
    put("crawl", "c-1", "", "email: alice.smith@mail.example.org");
    put("crawl", "c-2", "", "email: bob@mail.example.com");

    assertThat(ids(typed)).containsExactly("c-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://shop.example.org/winter/boots_42.html?size=9&sort=up",
        "shop.example.org/winter",
        "https://shop.example.org/win",
        "boots",
        "boots_42.html",
        "size=9"
      })
  void isFoundByAUrlOrAPartOfIt(String typed) {
    put("crawl", "c-1", "https://shop.example.org/winter/boots_42.html?size=9&sort=up", "");
    put("crawl", "c-2", "https://news.example.org/summer/", "");

    assertThat(ids(typed)).containsExactly("c-1");
  }

  @Test
  void whatFitsBetterComesFirstAndOfEqualsTheNewest() {
    put("job", "whole", "", "connection refused by the host", 1);
    put("job", "apart", "", "refused, since no connection was there", 9);
    put("job", "newer", "", "the connection refused", 5);
    put("job", "one", "", "connection lost", 10);
    put("job", "connection refused", "", "", 0);

    assertThat(ids("connection refused"))
        .containsExactly("connection refused", "newer", "whole", "apart");
    assertThat(ids("connection zebra"))
        .containsExactly("one", "apart", "newer", "whole", "connection refused");
  }

  @Test
  void kindAndStatusAreWordsAndKindIsAFilter() {
    index.put(new IndexedRecord("job", "a", "chat", "timeout", "error", 1, "", 0));
    index.put(new IndexedRecord("dead", "b", "chat", "timeout", "dead", 2, "jobs", 0));

    assertThat(ids("error timeout")).containsExactly("a");
    assertThat(index.search("timeout", "dead", 10).hits())
        .extracting(IndexedRecord::id)
        .containsExactly("b");
    assertThat(index.search("", "", 10).hits())
        .extracting(IndexedRecord::id)
        .containsExactly("b", "a");
  }

  @Test
  void aThingIsThereOnceAndAsItWasLast() {
    put("job", "a", "", "queued words");
    put("job", "a", "", "other ending");
    put("task", "a", "", "other ending");

    assertThat(ids("queued")).isEmpty();
    assertThat(ids("ending")).hasSize(2);
    index.remove("job", "a");
    assertThat(index.find("job", "a")).isEmpty();
    assertThat(index.find("task", "a")).isPresent();
  }

  @Test
  void findsWordsOfEveryScriptAndWithoutAccents() {
    put("job", "a", "", "Grüße aus Zürich, 東京タワー, Привет");

    for (var typed : List.of("zurich", "ZÜRICH", "東京", "привет")) {
      assertThat(ids(typed)).as(typed).containsExactly("a");
    }
  }

  @Test
  void showsThePartThatWasFoundAsPlainText() {
    put("job", "a", "", "x ".repeat(500) + "<b>the\u0000 needle</b>\n\tis here" + " y".repeat(500));

    var shown = index.search("needle", "", 1).hits().getFirst().text();

    assertThat(shown).startsWith("… ").endsWith(" …").contains("<b>the needle</b> is here");
    assertThat(shown.length()).isLessThan(300);
  }

  @Test
  void forgetsTheOldestAndThoseWhoseTimeIsOver() {
    for (int i = 0; i < 1_500; i++) put("job", "job-" + i, "", "same", 1_000 + i);
    index.put(new IndexedRecord("job", "short", "", "same", "done", 5_000, "", 77));
    index.commit(Map.of());

    assertThat(index.size()).isBetween(950L, 1_000L);
    assertThat(ids("job-0")).isEmpty();
    assertThat(ids("job-1499")).containsExactly("job-1499");
    index.expire(76);
    assertThat(index.find("job", "short")).isPresent();
    index.expire(78);
    assertThat(index.find("job", "short")).isEmpty();
  }

  @Test
  void longTextsAreCut() {
    put("job", "a", "t".repeat(2_000), "word ".repeat(10_000) + "behind");

    assertThat(ids("behind")).isEmpty();
    assertThat(index.find("job", "a").orElseThrow().text()).hasSize(IndexedRecord.LONGEST_TEXT);
  }

  @Test
  void goesOnWhereItWasCommitted() {
    put("job", "kept", "", "same");
    index.commit(Map.of("kafka.workflows/0", "17", "jobs.entry", "5-0"));
    put("job", "lost", "", "same");
    index.close();

    index = new RecordIndex(dir, 1_000, false);

    assertThat(index.checkpoint("kafka.")).isEqualTo(Map.of("workflows/0", "17"));
    assertThat(ids("same")).containsExactly("kept");
  }

  @Test
  void isOneProcessesAlone() {
    index.commit(Map.of());

    assertThatThrownBy(() -> new RecordIndex(dir, 1_000, false))
        .isInstanceOfSatisfying(
            SearchException.class, taken -> assertThat(taken.isTaken()).isTrue());
  }

  @Test
  void whatIsDamagedIsMadeAnew() throws IOException {
    put("job", "a", "", "same");
    index.commit(Map.of("jobs.entry", "5-0"));
    index.close();
    try (var files = Files.list(dir)) {
      for (var file : files.filter(f -> !f.endsWith("write.lock")).toList()) {
        Files.write(file, new byte[] {1, 2, 3});
      }
    }

    index = new RecordIndex(dir, 1_000, false);

    assertThat(index.checkpoint("")).isEmpty();
    put("job", "b", "", "same");
    assertThat(ids("same")).containsExactly("b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"",
        "((",
        "a AND",
        "*",
        "?",
        "field:x",
        "[1 TO",
        "~",
        "a^",
        "\\",
        "/regex(/",
        "\u0000",
        "\uD800",
        "OR OR",
        "- - -",
        "{!}",
        "../../etc/passwd",
        "'; DROP TABLE",
        "<script>alert(1)</script>"
      })
  void anythingIsJustText(String typed) {
    put("job", "a", "", "payload " + typed);

    assertThat(index.search(typed, "", 10).total()).isBetween(0L, 1L);
  }

  @Test
  void noTextIsEverWrong() {
    var random = new Random(42);
    for (int i = 0; i < 200; i++) put("job", "job-" + i, text(random, 20), text(random, 200));

    for (int i = 0; i < 3_000; i++) {
      var answer = index.search(text(random, 1 + random.nextInt(1_000)), "", 5);

      assertThat(answer.hits()).hasSizeLessThanOrEqualTo(5);
      assertThat(answer.total()).isBetween((long) answer.hits().size(), 200L);
    }
  }

  // Halves of pairs, marks, signs and letters of every script, as they come.
  private static String text(Random random, int length) {
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      var common = "ab1 *?\"()[]{}:~^\\/+-&|!.@'\n";
      if (random.nextInt(3) > 0) text.append(common.charAt(random.nextInt(common.length())));
      else text.append((char) random.nextInt(0x10000));
    }
    return text.toString();
  }

  private void put(String kind, String id, String title, String text) {
    put(kind, id, title, text, 1);
  }

  private void put(String kind, String id, String title, String text, long at) {
    index.put(new IndexedRecord(kind, id, title, text, "done", at, "", 0));
  }

  private List<String> ids(String typed) {
    index.commit(Map.of());
    return index.search(typed, "", 50).hits().stream().map(IndexedRecord::id).toList();
  }
}
