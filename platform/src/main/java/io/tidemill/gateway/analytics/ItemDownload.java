package io.tidemill.gateway.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.analytics.CollectedItem;
import io.tidemill.analytics.ItemJson;
import io.tidemill.analytics.QueryRows;
import io.tidemill.analytics.StoredItem;
import io.tidemill.http.StreamBody;
import io.tidemill.json.Json;
import io.tidemill.service.Unavailable;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All items of a project as one file, written while they are read; a few at a time, because each
/// has a connection to the database for as long as its client takes.
final class ItemDownload {
  private static final int AT_ONCE = 4;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(10);
  private static final int BUFFER = 32 * 1024;
  private static final String COLUMNS =
      "id,platform,job,url,title,text,author,followers,publishedAt,collectedAt,language,sentiment,impact,keywords,views,likes,comments,shares,saves,duplicateOf";

  // Also the wide forms, which some spreadsheets take for the same (F52).
  private static final String STARTS_A_FORMULA = "=+-@\t\r\n＝＋－＠";

  private final Semaphore room = new Semaphore(AT_ONCE);

  /// Writes the items as `csv` or `ndjson`.
  StreamBody of(String format, Supplier<QueryRows<StoredItem>> items) {
    // Opened before the response begins, so that an unreachable database gives an error status.
    var stream = open(items);
    return out -> write(stream, format.equals("csv"), out);
  }

  private QueryRows<StoredItem> open(Supplier<QueryRows<StoredItem>> items) {
    if (!room.tryAcquire()) {
      throw new Unavailable("%d downloads are under way".formatted(AT_ONCE), RETRY_AFTER);
    }
    try {
      return items.get();
    } catch (RuntimeException failed) {
      room.release();
      throw failed;
    }
  }

  private void write(QueryRows<StoredItem> items, boolean isCsv, OutputStream client)
      throws IOException {
    try (items) {
      var out = new BufferedOutputStream(client, BUFFER);
      if (isCsv) out.write((COLUMNS + "\r\n").getBytes(UTF_8));
      for (var item = items.next(); item != null; item = items.next()) {
        var line = isCsv ? csv(item) + "\r\n" : Json.text(ItemJson.of(item)) + "\n";
        out.write(line.getBytes(UTF_8));
      }
      out.flush();
    } finally {
      room.release();
    }
  }

  private static String csv(StoredItem stored) {
    var item = stored.item();
    var findings = item.findings();
    var reactions = item.reactions();
    return String.join(
        ",",
        text(item.id()),
        text(item.platform()),
        text(stored.jobId()),
        text(item.url()),
        text(item.title()),
        text(item.text()),
        text(item.author().name()),
        String.valueOf(item.author().followers()),
        plain(ItemJson.text(item.publishedAt())),
        plain(ItemJson.text(stored.collectedAt())),
        text(findings.language()),
        plain(findings.sentiment()),
        String.valueOf(findings.impact()),
        text(
            findings.keywords().stream()
                .map(CollectedItem.Keyword::phrase)
                .collect(Collectors.joining("; "))),
        String.valueOf(reactions.views()),
        String.valueOf(reactions.likes()),
        String.valueOf(reactions.comments()),
        String.valueOf(reactions.shares()),
        String.valueOf(reactions.saves()),
        text(stored.duplicateOf() == null ? "" : stored.duplicateOf()));
  }

  private static String plain(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  // Quoted wherever it could matter; nothing makes a spreadsheet calculate.
  private static String text(String text) {
    if (text.isEmpty()) return "";
    var safe = STARTS_A_FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    var isPlain = safe.chars().allMatch(c -> c > ' ' && c != '"' && c != ',');
    return isPlain ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
  }
}
