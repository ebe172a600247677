package io.tidemill.servers;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.jspecify.annotations.Nullable;

/// An S3 endpoint inside this JVM that keeps objects as plain files: a directory per bucket.
public final class S3Server implements LocalServer {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final int KEEP_ALIVE_LIMIT_MS = 500;
  private static final int THREADS = 32;

  private final Path dir;
  private final int port;
  private final String accessKey;
  private final String secretKey;
  private final List<String> buckets;
  private @Nullable S3Proxy proxy;

  /// @param port 0 for any free one
  public S3Server(Path dir, int port, String accessKey, String secretKey) {
    this(dir, port, accessKey, secretKey, List.of());
  }

  /// @param buckets those that are there from the beginning
  public S3Server(Path dir, int port, String accessKey, String secretKey, List<String> buckets) {
    this.buckets = List.copyOf(buckets);
    this.dir = dir.toAbsolutePath().normalize(); // a dot in it, and no bucket could be made
    this.port = port == 0 ? Ports.freeOr(0) : port;
    this.accessKey = accessKey;
    this.secretKey = secretKey;
  }

  @Override
  public String name() {
    return "s3";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String address() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public synchronized void start() {
    if (proxy != null) throw new IllegalStateException("s3 is already started");
    Ports.requireFree(this);
    try {
      Files.createDirectories(dir);
      for (var bucket : buckets) Files.createDirectories(dir.resolve(bucket));
      proxy =
          S3Proxy.builder()
              .endpoint(URI.create(address()))
              .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, accessKey, secretKey)
              .blobStore(new FilesystemNio2BlobStore(dir.toString()))
              .jettyMaxThreads(THREADS)
              .ignoreUnknownHeaders(true)
              .stopTimeout(KEEP_ALIVE_LIMIT_MS)
              .build();
      proxy.start();
    } catch (Exception e) {
      close();
      throw ServerException.starting(this, e);
    }
  }

  @Override
  public synchronized void close() {
    var stopping = proxy;
    if (stopping == null) return;
    proxy = null;
    TimeLimit.stop("s3", STOP_LIMIT, () -> stop(stopping));
  }

  private static void stop(S3Proxy proxy) throws Exception {
    try {
      proxy.stop();
    } catch (TimeoutException keptAlive) {
      // a client holds an idle connection open: it is cut, nothing is lost
    }
  }
}
