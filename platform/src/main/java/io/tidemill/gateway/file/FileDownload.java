package io.tidemill.gateway.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.s3.ObjectAddress;
import io.tidemill.s3.ObjectInfo;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
import io.tidemill.service.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Streams an object to a client: whole or a part of it (RFC 9110), a few at a time, because each
/// has a connection to the store for as long as its client takes.
public final class FileDownload {
  private static final Logger log = LoggerFactory.getLogger(FileDownload.class);
  private static final int AT_ONCE = 16;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final int BUFFER = 64 * 1024;
  private static final String BYTES = "application/octet-stream";
  private static final Pattern TYPE =
      Pattern.compile("[\\w.+-]+/[\\w.+-]+(\\s*;\\s*[\\w-]+=[\\w.-]+)*");
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  // A page may come from anybody: it runs nothing, and has neither our origin nor our cookies.
  private static final String PAGE =
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

  // Browsers show PDF in a viewer of their own, which a stricter policy would keep out.
  private static final String VIEWER = "frame-ancestors 'none'";

  private final ObjectStore blobs;
  private final Semaphore room = new Semaphore(AT_ONCE);

  public FileDownload(ObjectStore blobs) {
    this.blobs = blobs;
  }

  /// What a client says beside the name; empty where it says nothing.
  ///
  /// @param isHead whether headers are all that is wanted
  record Conditions(boolean isHead, String range, String ifRange, String ifNoneMatch) {}

  FileAnswer of(ObjectAddress object, Conditions given) {
    try {
      return blobs
          .head(object.bucket(), object.key())
          .map(found -> answer(object, found, given))
          .orElseGet(FileAnswer.Gone::new);
    } catch (S3Exception failed) {
      throw unavailable(failed);
    } catch (IllegalStateException unset) {
      throw unset(unset);
    }
  }

  /// The objects in a folder; none when there is no such bucket yet.
  List<ObjectInfo> list(ObjectAddress folder) {
    try {
      return blobs.list(folder.bucket(), folder.key() + "/");
    } catch (S3Exception failed) {
      if (failed.isMissing()) return List.of();
      throw unavailable(failed);
    } catch (IllegalStateException unset) {
      throw unset(unset);
    }
  }

  private static Unavailable unset(IllegalStateException unset) {
    return new Unavailable("files can't be read: " + unset.getMessage(), RETRY_AFTER, unset);
  }

  private static Unavailable unavailable(S3Exception failed) {
    log.warn("{}", failed.getMessage());
    return new Unavailable("the object store can't be read", RETRY_AFTER, failed);
  }

  private FileAnswer answer(ObjectAddress object, ObjectInfo found, Conditions given) {
    var headers = headers(object, found);
    var etag = etag(found);
    if (given.ifNoneMatch().strip().equals("*") || given.ifNoneMatch().contains(etag)) {
      return new FileAnswer.Unchanged(headers);
    }
    var size = found.size();
    // The rest of a file is of no use to who has the beginning of another version.
    var isCurrent = given.ifRange().isBlank() || given.ifRange().strip().equals(etag);
    var asked = isCurrent ? ByteRange.of(given.range(), size) : Optional.<ByteRange>empty();
    if (asked.isEmpty()) return content(new ByteRange(0, size), object, found, headers, given);
    if (asked.get().isEmpty()) return new FileAnswer.TooShort(size);
    headers.put("Content-Range", asked.get().contentRange(size));
    return content(asked.get(), object, found, headers, given);
  }

  private static Map<String, String> headers(ObjectAddress object, ObjectInfo found) {
    var type = type(found);
    var headers = new LinkedHashMap<String, String>();
    headers.put("ETag", etag(found));
    headers.put("Last-Modified", HTTP_DATE.format(found.modifiedAt()));
    headers.put("Accept-Ranges", "bytes");
    headers.put("Cache-Control", "private, no-cache");
    headers.put("Content-Disposition", disposition(type, object.name()));
    if (isPage(type)) headers.put("Content-Security-Policy", PAGE);
    else if (isPdf(type)) headers.put("Content-Security-Policy", VIEWER);
    return headers;
  }

  private static String etag(ObjectInfo found) {
    return "\"" + found.etag().replaceAll("[^\\x21-\\x7e]|\"", "") + "\"";
  }

  private static String type(ObjectInfo found) {
    return TYPE.matcher(found.contentType()).matches() ? found.contentType() : BYTES;
  }

  private static boolean isPage(String type) {
    return isOf(type, "text/html");
  }

  private static boolean isPdf(String type) {
    return isOf(type, "application/pdf");
  }

  private static boolean isOf(String type, String wanted) {
    return type.toLowerCase(Locale.ROOT).split(";", 2)[0].strip().equals(wanted);
  }

  // RFC 6266: the name once for everybody, once as it is.
  private static String disposition(String type, String name) {
    var how = isPage(type) || isPdf(type) ? "inline" : "attachment";
    var plain = how + "; filename=\"" + name.replaceAll("[^A-Za-z0-9._-]", "_") + "\"";
    return US_ASCII.newEncoder().canEncode(name)
        ? plain
        : plain + "; filename*=UTF-8''" + URLEncoder.encode(name, UTF_8).replace("+", "%20");
  }

  private FileAnswer content(
      ByteRange part,
      ObjectAddress object,
      ObjectInfo found,
      Map<String, String> headers,
      Conditions given) {
    var isPart = headers.containsKey("Content-Range");
    headers.put("Content-Length", String.valueOf(part.length()));
    if (given.isHead() || part.length() == 0) {
      return new FileAnswer.Content(isPart, type(found), _ -> {}, headers);
    }
    if (!room.tryAcquire()) {
      throw new Unavailable("%d downloads are under way".formatted(AT_ONCE), RETRY_AFTER);
    }
    try {
      // Opened before the response begins, so that an unreachable store gives an error status.
      var bytes = blobs.open(object.bucket(), object.key(), part.from(), part.to(), found.etag());
      return new FileAnswer.Content(isPart, type(found), out -> copy(bytes, out), headers);
    } catch (RuntimeException failed) {
      room.release();
      throw failed;
    }
  }

  private void copy(InputStream bytes, OutputStream out) throws IOException {
    try (bytes) {
      var buffer = new byte[BUFFER];
      for (var read = bytes.read(buffer); read >= 0; read = bytes.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } finally {
      room.release();
    }
  }
}
