package io.tidemill.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.job.JobCodec;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionKind;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldNamesTest {
  private static final FieldNames JOB = FieldNames.of("task", "payload", "ttl_s");
  private static final FieldNames CRAWL = FieldNames.of("url", "email", "maxPages", "dryRun");

  @ParameterizedTest
  @CsvSource({"tll_s,ttl_s", "ttlS,ttl_s", "paylod,payload", "PAYLOAD,payload"})
  void aNearMissOfAFieldIsRefusedEverywhere(String typed, String meant) {
    var body = Json.object().put("task", "chat").put(typed, 1);

    assertThatThrownBy(() -> JOB.refuseMisspelled(body))
        .hasMessage("unknown field " + typed + ": did you mean " + meant + "?");
    assertThatThrownBy(() -> JOB.requireKnown(body)).hasMessageContaining(meant);
  }

  // G1: other extras are ignored, and so is one that resembles a field that is there.
  @ParameterizedTest
  @ValueSource(strings = {"webhook", "trace", "id", "tag", "tasks", "x", "_comment"})
  void aContractIgnoresOtherExtras(String extra) {
    var body = Json.object().put("task", "chat").put(extra, 1);

    assertThatCode(() -> JOB.refuseMisspelled(body)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"maxPagse,maxPages", "max_pages,maxPages", "maxPagesss,maxPages", "dryrun,dryRun"})
  void anUnknownFieldIsRefusedWithTheNearest(String typed, String meant) {
    assertThatThrownBy(() -> CRAWL.requireKnown(Json.object().put(typed, 1)))
        .hasMessage("unknown field " + typed + ": did you mean " + meant + "?");
  }

  @Test
  void anUnknownFieldThatResemblesNoneIsRefusedWithAll() {
    assertThatThrownBy(() -> CRAWL.requireKnown(Json.object().put("webhook", "x")))
        .hasMessage("unknown field webhook: expected one of url, email, maxPages, dryRun");
  }

  @Test
  void aNameOfAnyLengthIsAnsweredInOneLine() {
    var body = Json.object().put("x".repeat(100_000), 1);

    assertThatThrownBy(() -> CRAWL.requireKnown(body))
        .satisfies(
            refusal -> assertThat(String.valueOf(refusal.getMessage())).hasSizeLessThan(200));
  }

  @Test
  void swappedNeighboursAreOneMistake() {
    assertThat(NearestName.distance("serach", "search")).isEqualTo(1);
    assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(NearestName.of("serach", List.of("export", "search", "crawl"), 2))
        .hasValue("search");
  }

  @Test
  void everyReaderOfABodyRefusesMisspelledFields() {
    var url = "\"url\":\"https://example.com\",\"email\":\"a@example.org\"";

    refused(CrawlCodec.decodeSubmission(body("{%s,\"maxPagse\":9}".formatted(url))), "maxPages");
    refused(CrawlCodec.decodeSubmission(body("{%s,\"webhook\":9}".formatted(url))), "one of url");
    refused(JobCodec.decodeSubmission(body("{\"task\":\"chat\",\"tll_s\":9}"), 60), "ttl_s");
    refused(
        ExecutionForms.workflow(
            body("{\"name\":\"abc\",\"steps\":[\"a\"],\"prioritty\":\"high\"}"), Instant.EPOCH),
        "priority");
    refused(
        ExecutionForms.task(
            body("{\"type\":\"a\",\"data\":{},\"maxRetires\":1}"), Set.of("a"), Instant.EPOCH),
        "maxRetries");
    refused(
        ExecutionForms.report(ExecutionKind.WORKFLOW, body("{\"curentStep\":\"a\"}")),
        "currentStep");
    refused(ExecutionForms.again(ExecutionKind.WORKFLOW, body("{\"step\":1}")), "fromStep");
    refused(ExecutionForms.reason(body("{\"why\":\"x\"}")), "reason");
  }

  private static void refused(Decoded<?> decoded, String named) {
    assertThat(decoded).isInstanceOf(Decoded.Malformed.class);
    assertThat(((Decoded.Malformed<?>) decoded).why()).startsWith("unknown field ").contains(named);
  }

  private static byte[] body(String json) {
    return json.getBytes(UTF_8);
  }
}
