package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

final class S3ServerIT extends LocalServerContract {

  private static final String BUCKET = "kept";

  @Override
  String name() {
    return "s3";
  }

  @Override
  LocalServer serverOn(Path dir, int port) {
    return new S3Server(dir, port, "tidemill", "tidemill-secret");
  }

  @Test
  void takesAFolderWithADotInItsPath(@TempDir Path folder) {
    try (var dotted = new S3Server(folder.resolve("./data/s3"), 0, "tidemill", "tidemill-secret")) {
      dotted.start();
      try (var client = client(dotted.address(), "tidemill", "tidemill-secret")) {
        client.createBucket(create -> create.bucket("dotted"));
        assertThat(client.listBuckets().buckets()).hasSize(1);
      }
    }
  }

  @Test
  void refusesAWrongKey() {
    try (var client = client(server.address(), "tidemill", "wrong")) {
      assertThatThrownBy(client::listBuckets)
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
    }
  }

  @Test
  void servesAClientThatSendsChunksAndRetries() throws Exception {
    try (var _ = connect(server.address());
        var client =
            S3Client.builder()
                .endpointOverride(URI.create(server.address()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .httpClient(UrlConnectionHttpClient.create())
                .credentialsProvider(credentials("tidemill", "tidemill-secret"))
                .build()) {
      for (int i = 0; i < 30; i++) {
        var key = "chunked-" + i;
        client.putObject(put -> put.bucket(BUCKET).key(key), RequestBody.fromString(key));
      }
      assertThat(client.listObjectsV2(list -> list.bucket(BUCKET).prefix("chunked-")).keyCount())
          .isEqualTo(30);
    }
  }

  @Test
  void keepsTypeAndMetadataOfAnObjectAcrossARestart() throws Exception {
    try (var client = connect(server.address())) {
      ((Bucket) client)
          .s3()
          .putObject(
              put ->
                  put.bucket(BUCKET)
                      .key("a/b.html")
                      .contentType("text/html")
                      .metadata(Map.of("crawl", "42")),
              RequestBody.fromString("<p>"));
    }

    server.close();
    server.start();

    try (var client = client(server.address(), "tidemill", "tidemill-secret")) {
      var head = client.headObject(get -> get.bucket(BUCKET).key("a/b.html"));
      assertThat(head.contentType()).isEqualTo("text/html");
      assertThat(head.metadata()).containsEntry("crawl", "42");
    }
  }

  @Override
  Client connect(String address) {
    var client = client(address, "tidemill", "tidemill-secret");
    try {
      client.createBucket(create -> create.bucket(BUCKET));
    } catch (BucketAlreadyOwnedByYouException there) {
      // as it should be after a restart
    }
    return new Bucket(client);
  }

  private static S3Client client(String address, String accessKey, String secretKey) {
    return S3Client.builder()
        .endpointOverride(URI.create(address))
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        // S3Proxy leaves the end of a chunked body unread and then often cuts the connection.
        .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
        .httpClient(UrlConnectionHttpClient.create())
        .overrideConfiguration(sdk -> sdk.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .credentialsProvider(credentials(accessKey, secretKey))
        .build();
  }

  private static StaticCredentialsProvider credentials(String accessKey, String secretKey) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey));
  }

  private record Bucket(S3Client s3) implements Client {

    @Override
    public void write(String item) {
      s3.putObject(put -> put.bucket(BUCKET).key(item), RequestBody.fromString(item));
    }

    @Override
    public Set<String> read() {
      var items = new HashSet<String>();
      for (S3Object each : s3.listObjectsV2Paginator(list -> list.bucket(BUCKET)).contents()) {
        items.add(s3.getObjectAsBytes(get -> get.bucket(BUCKET).key(each.key())).asUtf8String());
      }
      return items;
    }

    @Override
    public void close() {
      s3.close();
    }
  }
}
