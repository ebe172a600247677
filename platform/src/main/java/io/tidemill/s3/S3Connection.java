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

/// The S3 client, created on first use.
final class S3Connection implements AutoCloseable {
  /// The limit of calls that transfer little data.
  static final Duration CALL_LIMIT = Duration.ofMinutes(2);

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
  private static final Duration SILENCE_LIMIT = Duration.ofSeconds(30);
  private static final int CONNECTIONS = 32;

  private final S3Config config;
  private @Nullable S3Client client;
  private boolean closed;

  S3Connection(S3Config config) {
    this.config = config;
  }

  synchronized S3Client client() {
    var open = client;
    if (open == null) client = open = connect(endpoint());
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
                // No profile file of the home folder.
                .defaultProfileFile(ProfileFile.aggregator().build()))
        .build();
  }

  private StaticCredentialsProvider credentials() {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(config.accessKey(), config.secretKey()));
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) client.close();
    client = null;
  }
}
