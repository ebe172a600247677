package io.tidemill.s3;

import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.BucketAlreadyExistsException;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;

/// Objects in buckets of any S3-compatible store; an object is there whole or not at all.
///
/// Nothing is loaded or connected before the first call: a process that never needs the store does
/// not pay for it.
public final class ObjectStore implements AutoCloseable {
  private static final Duration QUESTION_LIMIT = Duration.ofSeconds(4);
  private static final long SLOWEST_UPLOAD = 1024L * 1024; // bytes a second
  private static final long LARGEST_PUT = 5L * 1024 * 1024 * 1024; // S3's own limit

  private final S3Connection connection;

  public ObjectStore(S3Config config) {
    connection = new S3Connection(config);
  }

  /// Stores an object, in place of one that has the name already.
  ///
  /// @param metadata names in lower case
  public void put(
      String bucket, String key, byte[] bytes, String contentType, Map<String, String> metadata) {
    put(
        bucket,
        key,
        RequestBody.fromBytes(bytes),
        put -> put.contentType(contentType).metadata(metadata));
  }

  /// Stores a file as an object, in place of one that has the name already; readers see the old one
  /// or the new one, never a part.
  ///
  /// @throws IllegalArgumentException when it is larger than any store takes in one piece
  public void put(
      String bucket, String key, Path file, String contentType, Map<String, String> metadata)
      throws IOException {
    var size = Files.size(file);
    if (size > LARGEST_PUT) {
      throw new IllegalArgumentException(
          "object %s/%s would have %d bytes: expected at most %d"
              .formatted(bucket, key, size, LARGEST_PUT));
    }
    put(
        bucket,
        key,
        RequestBody.fromFile(file),
        put ->
            put.contentType(contentType)
                .metadata(metadata)
                .overrideConfiguration(o -> o.apiCallTimeout(limit(size))));
  }

  private void put(
      String bucket, String key, RequestBody body, Consumer<PutObjectRequest.Builder> more) {
    Traces.part(
        SpanKind.S3,
        "put",
        key,
        () ->
            call(
                "object %s/%s can't be stored".formatted(bucket, key),
                s3 -> s3.putObject(put -> more.accept(put.bucket(bucket).key(key)), body)));
  }

  /// The same, and creates the bucket when it is missing.
  public void putCreatingBucket(
      String bucket, String key, Path file, String contentType, Map<String, String> metadata)
      throws IOException {
    try {
      put(bucket, key, file, contentType, metadata);
    } catch (S3Exception failed) {
      if (!failed.isMissing()) throw failed;
      createBucketIfMissing(bucket);
      put(bucket, key, file, contentType, metadata);
    }
  }

  private static Duration limit(long size) {
    return S3Connection.CALL_LIMIT.plusSeconds(size / SLOWEST_UPLOAD);
  }

  /// Opens an object for reading. The stream reconnects where a connection broke, as long as the
  /// object is the same.
  ///
  /// @throws S3Exception when the object is missing, now or later, or can't be read
  public ResumingStream open(String bucket, String key) {
    return new ResumingStream(key, complaint(bucket, key), opener(bucket, key, ""));
  }

  /// The same for a part of one version.
  ///
  /// @param from the first byte
  /// @param to after the last byte; more than `from`
  /// @param etag of the version
  public ResumingStream open(String bucket, String key, long from, long to, String etag) {
    var opener = opener(bucket, key, String.valueOf(to - 1));
    return new ResumingStream(key, complaint(bucket, key), opener, from, to, etag);
  }

  private static String complaint(String bucket, String key) {
    return "object %s/%s can't be loaded".formatted(bucket, key);
  }

  // The last byte is empty for the end of the object.
  private ResumingStream.Opener opener(String bucket, String key, String last) {
    return (from, version) ->
        call(
            complaint(bucket, key),
            s3 ->
                s3.getObject(get -> {
                  get.bucket(bucket).key(key);
                  if (from > 0 || !last.isEmpty()) get.range("bytes=" + from + "-" + last);
                  if (!version.isEmpty()) get.ifMatch(version);
                }));
  }

  /// Reads the metadata of an object.
  public Optional<ObjectInfo> head(String bucket, String key) {
    try {
      return Optional.of(
          call(
              "object %s/%s can't be looked at".formatted(bucket, key),
              s3 -> {
                var found = s3.headObject(head -> head.bucket(bucket).key(key));
                return new ObjectInfo(
                    key,
                    found.contentLength(),
                    found.lastModified(),
                    text(found.eTag()),
                    text(found.contentType()),
                    found.metadata());
              }));
    } catch (S3Exception failed) {
      if (failed.isMissing()) return Optional.empty();
      throw failed;
    }
  }

  /// The objects whose keys begin like this, in the order of their keys.
  public List<ObjectInfo> list(String bucket, String prefix) {
    return call(
        "bucket %s can't be listed".formatted(bucket),
        s3 ->
            s3
                .listObjectsV2Paginator(list -> list.bucket(bucket).prefix(prefix))
                .contents()
                .stream()
                .map(ObjectStore::info)
                .toList());
  }

  private static ObjectInfo info(S3Object found) {
    return new ObjectInfo(
        found.key(), found.size(), found.lastModified(), text(found.eTag()), "", Map.of());
  }

  static ObjectInfo info(String key, GetObjectResponse found) {
    return new ObjectInfo(
        key,
        found.contentLength(),
        found.lastModified(),
        text(found.eTag()),
        text(found.contentType()),
        found.metadata());
  }

  static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  /// The names of all buckets; fails after a few seconds.
  public List<String> buckets() {
    return call(
        "buckets can't be listed",
        s3 ->
            s3
                .listBuckets(
                    list -> list.overrideConfiguration(o -> o.apiCallTimeout(QUESTION_LIMIT)))
                .buckets()
                .stream()
                .map(Bucket::name)
                .toList());
  }

  public void createBucketIfMissing(String bucket) {
    call(
        "bucket %s can't be made".formatted(bucket),
        s3 -> {
          try {
            return s3.createBucket(create -> create.bucket(bucket));
          } catch (BucketAlreadyOwnedByYouException | BucketAlreadyExistsException there) {
            return there;
          }
        });
  }

  /// Deletes an object if it exists.
  public void delete(String bucket, String key) {
    call(
        "object %s/%s can't be deleted".formatted(bucket, key),
        s3 -> s3.deleteObject(delete -> delete.bucket(bucket).key(key)));
  }

  private <T> T call(String complaint, Function<S3Client, T> call) {
    try {
      return call.apply(connection.client());
    } catch (SdkException failed) {
      throw new S3Exception(complaint, failed);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
