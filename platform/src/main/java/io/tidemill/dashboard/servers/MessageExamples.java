package io.tidemill.dashboard.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.inspect.TopicInspector;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.stream.StreamInspector;
import io.tidemill.schema.ContractSchemas;
import io.tidemill.schema.SchemaViolation;
import io.tidemill.trace.MessageSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// The newest message of each kind, validated against its schema. Kinds without a message are left
/// out, and those of servers that are down.
final class MessageExamples {
  private static final Logger log = LoggerFactory.getLogger(MessageExamples.class);
  private static final int ONE = 1;
  private static final int PER_PARTITION = 300;
  private static final int MOST_VIOLATIONS = 20;
  private static final String STREAMOPS = "streamops/";

  private final @Nullable TopicInspector topics;
  private final StreamInspector streams;
  private final MessageSamples store;
  private final JobQueueInspector jobs;
  private final String queue;

  /// @param topics null when there is no Kafka here
  /// @param queue the stream of jobs
  MessageExamples(
      @Nullable TopicInspector topics,
      StreamInspector streams,
      MessageSamples store,
      JobQueueInspector jobs,
      String queue) {
    this.topics = topics;
    this.streams = streams;
    this.store = store;
    this.jobs = jobs;
    this.queue = queue;
  }

  /// In the order of the contracts.
  List<ObjectNode> newest() {
    var found = new ArrayList<ObjectNode>();
    crawls(found);
    executions(found);
    try {
      var samples = store.newest();
      jobs(samples, found);
      for (var kind : List.of(PageNames.PAGE, PageNames.PAGE_GONE))
        sample("C4", kind, samples, found);
      for (var kind :
          List.of(
              CollectedNames.EVENT,
              CollectedNames.LEGACY,
              CollectedNames.INLINE,
              CollectedNames.RESULT)) {
        sample("C5", kind, samples, found);
      }
    } catch (RedisException away) {
      log.debug("no samples: {}", away.getMessage());
    }
    return found;
  }

  private void crawls(List<ObjectNode> found) {
    var newest = new HashMap<String, KafkaRecord>();
    scan(CrawlNames.REQUESTS, ONE, _ -> "crawl-request", newest);
    scan(CrawlNames.RESPONSES, ONE, _ -> "crawl-response", newest);
    for (var kind : List.of("crawl-request", "crawl-response")) {
      var record = newest.get(kind);
      if (record != null) found.add(example("C1", kind, kind, record));
    }
  }

  private void executions(List<ObjectNode> found) {
    var newest = new HashMap<String, KafkaRecord>();
    for (var topic : List.of(ExecutionNames.WORKFLOWS, ExecutionNames.TASKS)) {
      scan(topic, PER_PARTITION, MessageExamples::type, newest);
    }
    for (var type : ExecutionEvent.TYPES.stream().sorted(Comparator.reverseOrder()).toList()) {
      var record = newest.get(type);
      if (record != null) found.add(example("C2", type, STREAMOPS + type, record));
    }
  }

  private static String type(KafkaRecord record) {
    try {
      return record.value() == null
          ? ""
          : Json.parse(record.value()).path("eventType").asString("");
    } catch (JacksonException notOurs) {
      return "";
    }
  }

  private void scan(
      String topic,
      int perPartition,
      Function<KafkaRecord, String> kind,
      Map<String, KafkaRecord> newest) {
    if (topics == null) return;
    try {
      topics.scan(
          topic,
          perPartition,
          record ->
              newest.merge(
                  kind.apply(record),
                  record,
                  (one, other) -> one.timestamp() > other.timestamp() ? one : other));
    } catch (KafkaException away) {
      log.debug("not all of {} was seen: {}", topic, away.getMessage());
    }
  }

  private static ObjectNode example(
      String contract, String kind, String schema, KafkaRecord record) {
    var out = named(contract, kind, schema, record.topic(), record.timestamp());
    if (record.key() != null) ReadableBytes.key(out, record.key());
    MessageView.headers(record, out.putArray("headers"));
    return validated(out, schema, record.value() == null ? new byte[0] : record.value());
  }

  private static ObjectNode named(
      String contract, String kind, String schema, String channel, long seenAt) {
    return Json.object()
        .put("contract", contract)
        .put("message", kind)
        .put("schema", ContractSchemas.path(schema))
        .put("channel", channel)
        .put("seenAt", seenAt);
  }

  private static ObjectNode validated(ObjectNode out, String schema, byte[] value) {
    ReadableBytes.value(out, value);
    var violations = violations(schema, value);
    out.put("valid", violations.isEmpty());
    var list = out.putArray("violations");
    violations.stream().limit(MOST_VIOLATIONS).forEach(each -> list.add(each.text()));
    return out;
  }

  private static List<SchemaViolation> violations(String schema, byte[] value) {
    try {
      return ContractSchemas.check(ContractSchemas.path(schema), Json.parse(value));
    } catch (JacksonException notJson) {
      return SchemaViolation.of(Json.fault(notJson));
    }
  }

  // Finished entries leave the queue within a second; workers keep a sample.
  private void jobs(Map<String, MessageSamples.Sample> samples, List<ObjectNode> found) {
    var waiting = newestOf(queue);
    if (waiting.isPresent()) found.add(entry(JobNames.ENTRY, queue, waiting.get()));
    else sample("C3", JobNames.ENTRY, samples, found);
    if (found.isEmpty() || !found.getLast().path("message").asString("").equals(JobNames.ENTRY)) {
      return;
    }
    var id = jobId(found.getLast());
    if (!JobNames.isId(id)) return;
    newestOf(JobNames.events(id))
        .ifPresent(event -> found.add(entry("job-event", JobNames.events(id), event)));
    var record = jobs.record(id);
    if (record.isEmpty()) return;
    var out = named("C3", "job", "job", JobNames.job(id), updatedAt(record));
    out.putArray("headers");
    found.add(validated(out, "job", json(record)));
  }

  private static String jobId(ObjectNode example) {
    try {
      return Json.parse(example.path("value").asString("")).path("job_id").asString("");
    } catch (JacksonException cut) {
      return "";
    }
  }

  private static long updatedAt(Map<String, byte[]> record) {
    var text = new String(record.getOrDefault("updated_ts", new byte[0]), UTF_8);
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  private Optional<StreamInspector.Entry> newestOf(String stream) {
    return streams.newest(stream, null, ONE).flatMap(page -> page.entries().stream().findFirst());
  }

  private static ObjectNode entry(String kind, String channel, StreamInspector.Entry entry) {
    var out = named("C3", kind, kind, channel, entry.at());
    out.putArray("headers");
    return validated(out, kind, json(entry.fields()));
  }

  private static byte[] json(Map<String, byte[]> fields) {
    var tree = Json.object();
    fields.forEach((name, value) -> tree.put(name, new String(value, UTF_8)));
    return Json.bytes(tree);
  }

  private void sample(
      String contract,
      String kind,
      Map<String, MessageSamples.Sample> samples,
      List<ObjectNode> found) {
    var sample = samples.get(kind);
    if (sample == null) return;
    var tree = sample.tree();
    var channel = tree.path("channel").asString("");
    var out = named(contract, kind, kind, channel, tree.path("seenAt").asLong(0));
    var headers = out.putArray("headers");
    tree.path("headers").forEach(headers::add);
    // A value that is not a text fails the validation.
    var value = tree.path("value");
    found.add(validated(out, kind, (value.isString() ? value.stringValue() : "").getBytes(UTF_8)));
  }
}
