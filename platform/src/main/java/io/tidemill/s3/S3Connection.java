package io.tidemill.s3;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// The way to the store, made when somebody needs it.
final class S3Connection implements AutoCloseable {
  /// How long a call may take that moves little.
  static final Duration CALL_LIMIT = Duration.ofMinutes(2);

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
  private static final Duration SILENCE_LIMIT = Duration.ofSeconds(30);
  private static final int CONNECTIONS = 32;

  private final S3Config config;
  private volatile @Nullable S3Client client;
  private @Nullable S3Presigner presigner;
  private boolean closed;

  S3Connection(S3Config config) {
    this.config = config;
  }

  S3Client client() {
    var open = client;
    return open == null ? open() : open;
  }

  private synchronized S3Client open() {
    var open = client;
    if (open == null) {
      open = connect(endpoint());
      client = open;
    }
    return open;
  }

  private URI endpoint() {
    if (closed) throw new IllegalStateException("the object store is closed");
    if (config.endpoint().isEmpty()) throw new IllegalStateException("s3.endpoint is not set");
    return URI.create(config.endpoint());
  }

  private S3Client connect(URI endpoint) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials())
        .httpClientBuilder(
            Apache5HttpClient.builder()
                .maxConnections(CONNECTIONS)
                .connectionTimeout(CONNECT_LIMIT)
                .socketTimeout(SILENCE_LIMIT))
        .forcePathStyle(true)
        // S3Proxy cuts off uploads in AWS' own chunked form.
        .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .overrideConfiguration(o ->
            o.apiCallTimeout(CALL_LIMIT)
                // Our settings decide, not a file in somebody's home.
                .defaultProfileFile(ProfileFile.aggregator().build()))
        .build();
  }

  private StaticCredentialsProvider credentials() {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(config.accessKey(), config.secretKey()));
  }

  /// It only calculates: no connection, no thread.
  synchronized S3Presigner presigner() {
    var made = presigner;
    if (made == null) {
      made =
          S3Presigner.builder()
              .endpointOverride(endpoint())
              .region(Region.US_EAST_1)
              .credentialsProvider(credentials())
              .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
              .build();
      presigner = made;
    }
    return made;
  }

  @Override
  public synchronized void close() {
    closed = true;
    var open = client;
    client = null;
    if (open != null) open.close();
    if (presigner != null) presigner.close();
    presigner = null;
  }
}
