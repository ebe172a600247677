package io.tidemill.dashboard.recordsearch;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.contract.crawl.DecodedCrawlRequest;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.recordsearch.IndexedRecord;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.redis.BulkRead;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Crawls as index records: from requests, responses and, in between, the frontier's state.
final class CrawlRecords {
  /// The status while pages are fetched; the owner's record says `pending` until the end.
  private static final String RUNNING = "running";

  private static final int LONGEST = 100;

  private final BulkRead bulkRead;
  private final UnfinishedRecords unfinished = new UnfinishedRecords();

  CrawlRecords(BulkRead bulkRead, RecordIndex index) {
    this.bulkRead = bulkRead;
    for (var status : List.of(CrawlStatus.PENDING.wire(), RUNNING)) {
      for (var id : index.withStatus(RecordKind.CRAWL.wire(), status)) unfinished.put(id, status);
    }
  }

  void put(KafkaRecord record, RecordIndex index) {
    if (record.topic().equals(CrawlNames.REQUESTS)) requested(record, index);
    else answered(record, index);
  }

  private void requested(KafkaRecord record, RecordIndex index) {
    if (!(CrawlCodec.decodeRequest(headers(record), record.value())
        instanceof DecodedCrawlRequest.Valid(var request, var _))) {
      return; // it becomes a dead letter or gets a failure response
    }
    // The response is in another topic and may have been read before.
    var known = index.find(RecordKind.CRAWL.wire(), request.id()).orElse(null);
    if (known != null && CrawlStatus.of(known.status()).isTerminal()) {
      index.put(record(request.id(), request.url(), known.text(), known.status(), record));
      return;
    }
    var text = PlainText.join("email", request.email()) + options(request);
    index.put(record(request.id(), request.url(), text, CrawlStatus.PENDING.wire(), record));
    unfinished.put(request.id(), CrawlStatus.PENDING.wire());
  }

  /// Checks some unfinished crawls, when it is time.
  ///
  /// @return number of changes
  int checkUnfinished(RecordIndex index) {
    var some = unfinished.due();
    var found = bulkRead.hashes(some.stream().map(CrawlNames::crawl).toList(), LONGEST, "state");
    var changed = 0;
    for (int i = 0; i < some.size(); i++) {
      var id = some.get(i);
      var status = status(found.get(i).getOrDefault("state", ""));
      if (!unfinished.isChanged(id, status)) continue;
      changed++;
      index
          .find(RecordKind.CRAWL.wire(), id)
          .ifPresent(known -> index.put(known.withStatus(status)));
      if (!CrawlStatus.of(status).isTerminal()) unfinished.put(id, status);
    }
    return changed;
  }

  private static String status(String state) {
    return switch (state) {
      case "running", "ending", "ended" -> RUNNING; // the response follows
      case "canceled" -> CrawlStatus.CANCELED.wire();
      default -> CrawlStatus.PENDING.wire();
    };
  }

  private static String options(CrawlRequest request) {
    var options = new StringBuilder();
    CrawlCodec.encodeOptions(request.options())
        .forEach((name, value) -> options.append('\n').append(PlainText.join(name, value)));
    return options.toString();
  }

  private void answered(KafkaRecord record, RecordIndex index) {
    var key = CrawlCodec.decodeKey(headers(record)).orElse(null);
    if (key == null) return; // it becomes a dead letter
    var known = index.find(RecordKind.CRAWL.wire(), key.id()).orElse(null);
    // The first end counts, as in the entity (C1.3).
    if (known != null && CrawlStatus.of(known.status()).isTerminal()) return;
    var response = response(record.value());
    var crawl = crawl(key);
    var url = crawl != null ? crawl.url() : known != null ? known.title() : "";
    var text = PlainText.join("email", key.email(), "result", result(response));
    unfinished.remove(key.id());
    index.put(record(key.id(), url, text, status(response, crawl), record));
  }

  // Of one that can't be read the entity fails.
  private static CrawlResponse response(byte @Nullable [] value) {
    return switch (CrawlCodec.decodeResponse(value)) {
      case Decoded.Message(var response) -> response;
      case Decoded.Unreadable(var why) -> new CrawlResponse.Failure(why);
      case Decoded.Malformed(var why) -> new CrawlResponse.Failure(why);
    };
  }

  private @Nullable Crawl crawl(CrawlKey key) {
    var found =
        bulkRead.hashes(
            List.of(CrawlNames.crawls(key.email())), 2 * IndexedRecord.LONGEST_TEXT, key.id());
    return CrawlCodec.decode(found.getFirst().getOrDefault(key.id(), "")).orElse(null);
  }

  private static String result(CrawlResponse response) {
    return switch (response) {
      case CrawlResponse.Success(var data) -> data.toString();
      case CrawlResponse.Failure(var why) -> why;
    };
  }

  // The user canceled it before the crawler responded.
  private static String status(CrawlResponse response, @Nullable Crawl crawl) {
    if (crawl != null && crawl.status() == CrawlStatus.CANCELED) return crawl.status().wire();
    return switch (response) {
      case CrawlResponse.Success _ -> CrawlStatus.COMPLETED.wire();
      case CrawlResponse.Failure _ -> CrawlStatus.FAILED.wire();
    };
  }

  private static IndexedRecord record(
      String id, String url, String text, String status, KafkaRecord record) {
    return new IndexedRecord(
        RecordKind.CRAWL.wire(), id, url, text, status, record.timestamp(), "", 0);
  }

  private static Map<String, byte[]> headers(KafkaRecord record) {
    var headers = new HashMap<String, byte[]>();
    for (var header : record.headers()) {
      if (header.value() != null) headers.put(header.name(), header.value());
    }
    return headers;
  }
}
