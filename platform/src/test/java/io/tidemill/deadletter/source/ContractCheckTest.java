package io.tidemill.deadletter.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.schema.SchemaViolation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContractCheckTest {
  private static final String CREATED =
      """
      {"eventType":"task.created","eventId":"evt-1","timestamp":"2026-01-04T01:09:27.123Z",
      "payload":{"taskId":"task-1","type":"data_export","data":{},"retryCount":0,"maxRetries":3,
      "createdAt":"2026-01-04T01:09:27.123Z"}}\
      """;

  @Test
  void aTaskThatIsWholeFits() {
    assertThat(check("tasks", "task-1", Map.of(), CREATED)).isEmpty();
    assertThat(ContractCheck.schema("tasks", CREATED.getBytes(UTF_8)))
        .isEqualTo("/contracts/streamops/task.created.schema.json");
  }

  @Test
  void namesThePlaceOfWhatIsWrong() {
    var violations =
        check(
            "tasks", "task-1", Map.of(), CREATED.replace("\"maxRetries\":3", "\"maxRetries\":-3"));

    assertThat(violations).extracting(SchemaViolation::path).containsExactly("/payload/maxRetries");
  }

  @Test
  void theIdMustStayTheKey() {
    assertThat(check("tasks", "task-2", Map.of(), CREATED))
        .containsExactly(
            new SchemaViolation("/payload/taskId", "must be the key of the record: task-2"));
    assertThat(check("workflows", "task-1", Map.of(), CREATED))
        .extracting(SchemaViolation::path)
        .containsExactly("/eventType");
  }

  @Test
  void aCrawlRequestNeedsItsHeaders() {
    var url = "{\"url\":\"https://example.org/\"}";
    var headers = Map.of("id", "c-1", "email", "a@example.org");

    assertThat(check("crawl-requests", "c-1", headers, url)).isEmpty();
    assertThat(check("crawl-requests", "c-1", Map.of(), url))
        .containsExactly(new SchemaViolation("", "header id is missing"));
    assertThat(check("crawl-requests", "c-2", headers, url))
        .containsExactly(
            new SchemaViolation("", "the header id must be the key of the record: c-2"));
    assertThat(check("crawl-requests", null, headers, "{\"url\":\"ftp://x\"}"))
        .containsExactly(new SchemaViolation("", "url must be an absolute http or https URL"));
    assertThat(check("crawl-responses", "c-1", headers, "{\"success\":true,\"scrapedData\":1}"))
        .isEmpty();
  }

  @Test
  void pagesAndBatchesAreHeldAgainstTheirOwnShape() {
    var page =
        "{\"url\":\"https://e.org/\",\"text\":\"t\",\"metadata\":{\"title\":\"t\","
            + "\"timestamp\":\"2026-01-04T01:09:27Z\",\"status_code\":200}}";

    assertThat(check("crawler_queue", null, Map.of(), page)).isEmpty();
    assertThat(check("crawler_queue", null, Map.of(), page.replace("200", "\"200\"")))
        .extracting(SchemaViolation::path)
        .containsExactly("/metadata/status_code");
    assertThat(
            ContractCheck.schema("analytics.data.collected", "{\"data_ref\":{}}".getBytes(UTF_8)))
        .isEqualTo("/contracts/collected-legacy.schema.json");
    assertThat(check("analytics.data.collected", null, Map.of(), "{\"payload\":{}}")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{", "nope", "[]", "1e999999999", "\"\\ud800\"", "{\"eventType\":1}", "null"})
  void whatIsNoMessageNeverFits(String value) {
    for (var channel :
        List.of(
            "workflows",
            "tasks",
            "crawl-requests",
            "crawl-responses",
            "crawler_queue",
            "crawler_queue.gone",
            "analytics.data.collected")) {
      assertThat(check(channel, null, Map.of(), value)).as(channel).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "email_notification|{'recipient':'nobody','template':'xx'}|/recipient",
        "email_notification|{'to':['a@example.org','b@'],'text':'x'}|/to/1",
        "email_notification|{'text':'x'}|~~",
        "email_notification|{'recipient':7,'text':'x'}|/recipient",
        "data_export|{'source':{'crawl':'c'},'format':'doc'}|/format",
        "data_export|{'source':{'crawl':'c'},'format':'csv','nmae':'x'}|~~",
        "report_generation|{'report':'novel'}|/report",
        "somebodys_own|[]|~~",
      })
  void theDataOfATaskIsHeldAgainstItsType(String type, String data, String place) {
    var violations = TaskCheck.check(type, data.replace('\'', '"'));

    assertThat(violations).isNotEmpty();
    assertThat(violations.getFirst().path()).isEqualTo(place);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "email_notification|{'recipient':'Ann <a@example.org>','cc':['b@example.org'],'text':'x'}",
        "data_export|{'source':{'crawl':'c'},'format':'csv'}",
        "data_export|{'source':{'crawl':'c'},'format':'csv','name':null}",
        "report_generation|{}",
        "somebodys_own|{'anything':1}",
      })
  void dataThatItsTaskCanUseFits(String type, String data) {
    assertThat(TaskCheck.check(type, data.replace('\'', '"'))).isEmpty();
  }

  @Test
  void aJobIsCheckedAsItsEntryWillBe() {
    assertThat(JobDraft.check("{\"task\":\"chat\",\"payload\":{\"a\":1}}")).isEmpty();
    assertThat(JobDraft.check("{\"task\":\"chat\",\"payload\":\"{}\"}")).isEmpty();
    assertThat(JobDraft.check("{\"task\":\"sing\",\"payload\":{}}"))
        .extracting(SchemaViolation::path)
        .containsExactly("/task");
    assertThat(JobDraft.check("{\"task\":\"chat\",\"payload\":[1]}"))
        .containsExactly(new SchemaViolation("/payload", "must be a JSON object"));
    assertThat(JobDraft.check("{\"task\":\"chat\"}")).isNotEmpty();
    assertThat(JobDraft.check("[]")).isNotEmpty();
  }

  private static List<SchemaViolation> check(
      String channel, @Nullable String key, Map<String, String> headers, String value) {
    var bytes = new java.util.HashMap<String, byte[]>();
    headers.forEach((name, text) -> bytes.put(name, text.getBytes(UTF_8)));
    return ContractCheck.check(
        new ContractCheck.Draft(
            channel, key == null ? null : key.getBytes(UTF_8), bytes, value.getBytes(UTF_8)));
  }
}
