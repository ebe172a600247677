package io.tidemill.processor.input;

import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.json.Json;
import io.tidemill.processor.record.JoinedRecords;
import io.tidemill.processor.record.StoredRecords;
import io.tidemill.redis.RedisException;
import io.tidemill.s3.ObjectInfo;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the stored pages of a crawl (C5.7): `{"crawl":"<id>"}`.
///
/// @param bucket where crawlers keep their batches
public record CrawlInputSource(CrawlStore crawls, ObjectStore blobs, String bucket)
    implements InputSource {
  private static final int LONGEST = 128;

  /// An object is not a crawl's id but the options of the step `crawl`.
  @Override
  public boolean isNamedBy(JsonNode value) {
    return !value.isObject();
  }

  @Override
  public Records records(JsonNode value, ObjectNode input) throws WorkFailure {
    var id = InputSources.text(value, "crawl", LONGEST);
    if (!CrawlNames.isId(id)) throw InputSources.invalid("crawl is not the id of a crawl");
    try {
      var project = project(id, input);
      var batches = batches(CollectedNames.WEB + "/" + project + "/" + id + "/");
      if (batches.isEmpty() && crawls.record(id).isEmpty()) {
        throw WorkFailure.permanent("CRAWL_NOT_FOUND", "there is no crawl " + id);
      }
      return new JoinedRecords(batches, CrawlInputSource::page);
    } catch (RedisException | S3Exception failed) {
      throw RecordFailures.of(failed);
    }
  }

  @Override
  public Set<String> options() {
    return Set.of("project");
  }

  private String project(String id, ObjectNode input) throws WorkFailure {
    var record = crawls.record(id);
    var isRunning =
        crawls.owner(id).flatMap(crawls::find).filter(crawl -> !crawl.status().isTerminal());
    if (isRunning.isPresent() || crawls.unkept(id) > 0) {
      throw WorkFailure.passing("CRAWL_NOT_FINISHED", "crawl " + id + " has not finished yet");
    }
    // After `crawls.keep` only the caller knows it.
    var given = input.path("project").asString("");
    if (!given.isEmpty() && !given.matches("[A-Za-z0-9_-]{1,128}")) {
      throw InputSources.invalid("project must be letters, digits, - and _");
    }
    var known =
        record.map(crawl -> crawl.options().project()).filter(it -> !it.isEmpty()).orElse(given);
    return known.isEmpty() ? CollectedNames.WEB : known;
  }

  private List<StoredRecords> batches(String folder) {
    try {
      return blobs.list(bucket, folder + "batch_").stream()
          // Beyond 999 the order of names is not that of numbers.
          .sorted(
              Comparator.comparingInt((ObjectInfo it) -> it.key().length())
                  .thenComparing(ObjectInfo::key))
          .map(it -> new StoredRecords(blobs, bucket, it.key(), -1))
          .toList();
    } catch (S3Exception failed) {
      if (failed.isMissing()) return List.of(); // no crawl has kept anything yet
      throw failed;
    }
  }

  /// A page in flat fields, from the shape that batches of all platforms share.
  private static JsonNode page(JsonNode item) {
    var meta = item.path("meta");
    var content = item.path("content");
    var page = Json.object();
    copy(meta.path("permalink"), page, "url");
    copy(content.path("title"), page, "title");
    copy(content.path("text"), page, "text");
    copy(content.path("language"), page, "language");
    copy(item.path("author").path("id"), page, "site");
    copy(meta.path("fetched_at"), page, "fetchedAt");
    copy(meta.path("published_at"), page, "publishedAt");
    copy(meta.path(meta.has("content_hash") ? "content_hash" : "id"), page, "contentHash");
    return page;
  }

  private static void copy(JsonNode value, ObjectNode page, String name) {
    if (value.isMissingNode()) page.putNull(name);
    else page.set(name, value);
  }
}
