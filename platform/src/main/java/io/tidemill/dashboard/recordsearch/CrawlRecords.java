package io.tidemill.dashboard.recordsearch;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlAsk;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.contract.crawl.CrawlResponse;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.recordsearch.IndexedRecord;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.redis.BulkRead;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Crawls as things that can be found: what was asked, what was answered, and whether somebody is
/// at it meanwhile.
final class CrawlRecords {
  /// How one stands whose pages are being fetched; its owner's record says `pending` until its end.
  private static final String RUNNING = "running";

  private static final int LONGEST = 100;

  private final BulkRead glance;
  private final UnfinishedRecords open = new UnfinishedRecords();

  CrawlRecords(BulkRead glance, RecordIndex index) {
    this.glance = glance;
    for (var status : List.of(CrawlStatus.PENDING.wire(), RUNNING)) {
      for (var id : index.withStatus(RecordKind.CRAWL.wire(), status)) open.put(id, status);
    }
  }

  void put(KafkaRecord record, RecordIndex index) {
    if (record.topic().equals(CrawlNames.REQUESTS)) asked(record, index);
    else answered(record, index);
  }

  private void asked(KafkaRecord record, RecordIndex index) {
    if (!(CrawlCodec.decodeRequest(headers(record), record.value())
        instanceof CrawlAsk.Valid(var request, var _))) {
      return; // it becomes a dead letter, or an answer says why not
    }
    // The answer lies in another partition and may have been read before.
    var known = index.find(RecordKind.CRAWL.wire(), request.id()).orElse(null);
    if (known != null && CrawlStatus.of(known.status()).isTerminal()) {
      index.put(thing(request.id(), request.url(), known.text(), known.status(), record));
      return;
    }
    var text = PlainText.join("email", request.email()) + options(request);
    index.put(thing(request.id(), request.url(), text, CrawlStatus.PENDING.wire(), record));
    open.put(request.id(), CrawlStatus.PENDING.wire());
  }

  /// Looks at some of those that have not ended, when it is time.
  ///
  /// @return how many have changed
  int look(RecordIndex index) {
    var some = open.due();
    var found = glance.hashes(some.stream().map(CrawlNames::crawl).toList(), LONGEST, "state");
    var changed = 0;
    for (int i = 0; i < some.size(); i++) {
      var id = some.get(i);
      var status = status(found.get(i).getOrDefault("state", ""));
      if (!open.isNews(id, status)) continue;
      changed++;
      index
          .find(RecordKind.CRAWL.wire(), id)
          .ifPresent(known -> index.put(known.withStatus(status)));
      if (!CrawlStatus.of(status).isTerminal()) open.put(id, status);
    }
    return changed;
  }

  private static String status(String state) {
    return switch (state) {
      case "running", "ending", "ended" -> RUNNING; // its answer is about to come
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
    if (key == null
        || !(CrawlCodec.decodeResponse(record.value()) instanceof Decoded.Message(var response))) {
      return;
    }
    var crawl = crawl(key);
    var known = index.find(RecordKind.CRAWL.wire(), key.id()).orElse(null);
    var url = crawl != null ? crawl.url() : known != null ? known.title() : "";
    var text = PlainText.join("email", key.email(), "result", result(response));
    open.remove(key.id());
    index.put(thing(key.id(), url, text, status(response, crawl), record));
  }

  private @Nullable Crawl crawl(CrawlKey key) {
    var found =
        glance.hashes(
            List.of(CrawlNames.crawls(key.email())), 2 * IndexedRecord.LONGEST_TEXT, key.id());
    return CrawlCodec.decode(found.getFirst().getOrDefault(key.id(), "")).orElse(null);
  }

  private static String result(CrawlResponse response) {
    return switch (response) {
      case CrawlResponse.Success(var data) -> data.toString();
      case CrawlResponse.Failure(var why) -> why;
    };
  }

  // Who called it off said so before the crawler could.
  private static String status(CrawlResponse response, @Nullable Crawl crawl) {
    if (crawl != null && crawl.status() == CrawlStatus.CANCELED) return crawl.status().wire();
    return switch (response) {
      case CrawlResponse.Success _ -> CrawlStatus.COMPLETED.wire();
      case CrawlResponse.Failure _ -> CrawlStatus.FAILED.wire();
    };
  }

  private static IndexedRecord thing(
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
