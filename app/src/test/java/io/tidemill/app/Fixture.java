package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import tools.jackson.databind.JsonNode;

/// A data folder of an earlier version: `NAME.tar.gz`, and in `NAME.json` what has to come of it.
record Fixture(String name) {
  static final Path HOME = Path.of("src", "test", "upgrade");

  // Nothing that a fixture holds may be swept away because it was made long ago.
  private static final List<String> SETTINGS =
      List.of(
          "flows.keep=36500d",
          "crawls.keep=36500d",
          "crawler.keep=36500d",
          "flows.key-ttl=36500d",
          "jobs.ttl-s=604800",
          "crawler.seen-ttl=1s",
          "crawler.allow-networks=" + Surroundings.NETWORK,
          "smtp.url=" + Surroundings.SMTP,
          "worker.lease=3s",
          "processor.lease=1s",
          "crawler.lease=1s");

  /// Those that are there.
  static Stream<String> names() throws IOException {
    try (var files = Files.list(HOME)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".tar.gz"))
          .map(name -> name.substring(0, name.length() - ".tar.gz".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  Path archive() {
    return HOME.resolve(name + ".tar.gz");
  }

  Path manifestFile() {
    return HOME.resolve(name + ".json");
  }

  JsonNode manifest() throws IOException {
    return Json.parse(Files.readAllBytes(manifestFile()));
  }

  /// Starts the product on a folder, with what all fixtures need and with more settings.
  static Product up(Path data, List<String> arguments, String... settings) {
    var all = new ArrayList<>(arguments);
    for (var setting : SETTINGS) all.addAll(List.of("-s", setting));
    for (var setting : settings) all.addAll(List.of("-s", setting));
    return Product.up(data, all.toArray(String[]::new));
  }

  /// Runs tar, with the attributes of files in which the object store keeps what it knows of them.
  static void tar(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("tar", "--xattrs", "--xattrs-include=user.*"));
    command.addAll(List.of(arguments));
    var tar = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).as(said).isZero();
  }

  static S3Client s3(Path data) {
    var keys = AwsBasicCredentials.create("tidemill", "tidemill-secret");
    return S3Client.builder()
        .endpointOverride(URI.create(Product.address(data, "s3")))
        .credentialsProvider(StaticCredentialsProvider.create(keys))
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .httpClient(UrlConnectionHttpClient.create())
        .build();
  }
}
