package io.tidemill.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.app.upgrade.Upgrade;
import io.tidemill.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.sync.RequestBody;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Folders of earlier versions, each killed in the middle of everything, under the version that is
/// built here: nothing is lost. [FixtureMakerIT] makes them.
class UpgradeIT {
  private static final int FORMAT = new Upgrade("").format();

  @TempDir Path folder;

  private Path data = Path.of("");
  private Api api = new Api("");

  @ParameterizedTest
  @MethodSource("io.tidemill.app.Fixture#names")
  void nothingIsLost(String name) throws Exception {
    var fixture = new Fixture(name);
    var manifest = fixture.manifest();
    data = folder.resolve("data");
    Fixture.tar("-C", folder.toString(), "-xzf", fixture.archive().toAbsolutePath().toString());
    try (var _ = new Surroundings(Surroundings.Mood.KIND);
        var _ = takenPort();
        var product = Fixture.up(data, List.of(), "crawler.default-delay=10ms")) {
      api = new Api(Product.address(data, "http"));

      finishedThingsAreShownAsTheyWere(manifest);
      whatWasInFlightEndsAsItShould(manifest);
      deadLettersOfEverySourceAreThereAndGoBack(manifest.path("dead"));
      theSameKeysNameTheSameThings(manifest.path("keys"));

      assertThat(Files.readString(data.resolve("version")))
          .matches("format=%d\nwritten-by=[0-9.]+.*\n".formatted(FORMAT));
      assertThat(product.ownWords()).doesNotContain("Exception");
    }
  }

  // The ports of a folder may be somebody else's by now.
  private ServerSocket takenPort() throws IOException {
    var port = Json.parse(Files.readAllBytes(data.resolve("ports.json"))).at("/redis/port");
    try {
      return new ServerSocket(port.intValue(), 1, InetAddress.getLoopbackAddress());
    } catch (IOException takenAlready) {
      return new ServerSocket();
    }
  }

  private void finishedThingsAreShownAsTheyWere(JsonNode manifest) throws Exception {
    manifest
        .path("same")
        .forEachEntry((path, answer) -> {
          var shown = api.json(path);
          // Of no earlier version: links to what the record names, which open now as they did then.
          if (shown instanceof ObjectNode record && !answer.has("files")) {
            for (var file : record.path("files")) {
              var link = file.path("url").stringValue();
              assertThat(api.get(link).statusCode()).as(link).isEqualTo(200);
            }
            record.remove("files");
          }
          assertThat(shown).as(path).isEqualTo(answer);
        });
    manifest
        .path("events")
        .forEachEntry((path, text) ->
            assertThat(kept(api.get(path).body())).as(path).isEqualTo(kept(text.stringValue())));
    for (var url : manifest.path("pages")) {
      assertThat(api.get(page(url)).statusCode()).as(url.stringValue()).isEqualTo(200);
    }
    manifest
        .path("search")
        .forEachEntry((question, url) ->
            api.awaitThat(question, found -> found.toString().contains(url.stringValue())));
    var audit = api.json("/api/audit?limit=1000").path("audit").valueStream().toList();
    assertThat(audit).containsAll(manifest.path("audit"));
    try (var s3 = Fixture.s3(data)) {
      for (var object : manifest.path("objects").properties()) {
        var slash = object.getKey().indexOf('/');
        var bucket = object.getKey().substring(0, slash);
        var key = object.getKey().substring(slash + 1);
        var bytes = s3.getObjectAsBytes(get -> get.bucket(bucket).key(key)).asByteArray();
        var hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        assertThat(hash).as(object.getKey()).isEqualTo(object.getValue().stringValue());
      }
    }
  }

  // A greeting comes first, which tells the time.
  private static String kept(String events) {
    assertThat(events).contains("id: ");
    return events.substring(events.indexOf("id: "));
  }

  private void whatWasInFlightEndsAsItShould(JsonNode manifest) {
    manifest
        .path("ends")
        .forEachEntry((path, status) -> api.await200(path, "/status", status.stringValue()));
    manifest
        .path("redrive")
        .forEachEntry((path, count) -> {
          api.awaitThat(path, run -> !run.path("endedAt").isNull());
          assertThat(api.json(path).path("redriven")).as(path).isEqualTo(count);
        });
    for (var url : manifest.path("laterPages")) api.awaitStatusCode(page(url), 200);
    for (var url : manifest.path("gonePages")) api.awaitStatusCode(page(url), 404);
    manifest
        .path("analytics")
        .forEachEntry((project, items) -> awaitItems(project, items.intValue()));
  }

  private void awaitItems(String project, int items) {
    var path = "/api/analytics/projects/" + project;
    api.awaitStatusCode(path, 200);
    api.awaitThat(path, found -> found.at("/totals/items").asInt(-1) == items);
  }

  private void deadLettersOfEverySourceAreThereAndGoBack(JsonNode letters) {
    var sources = api.json("/api/dead/sources").path("sources");
    assertThat(letters.size()).isGreaterThanOrEqualTo(sources.size());
    letters.forEachEntry((source, letter) -> {
      var path = "/api/dead/" + URLEncoder.encode(letter.path("id").stringValue(), UTF_8);
      assertThat(api.json(path).path("id")).as(source).isEqualTo(letter.path("id"));
      if (letter.has("object")) putBatch(letter.path("object").stringValue());
      var edit = letter.has("edit") ? Json.text(letter.path("edit")) : "";
      var answer = api.post(path + "/redrive", edit, Map.of());
      assertThat(answer.statusCode()).as(source + ": " + answer.body()).isBetween(200, 202);
      if (letter.has("job")) {
        var job = "/v1/jobs/" + Json.parse(answer.body()).path("job_id").stringValue();
        api.awaitThat(job, found -> !found.path("status").asString("").equals("queued"));
      }
    });
    letters.forEachEntry((_, letter) -> {
      if (letter.has("path")) {
        api.awaitStatusCode(letter.path("path").stringValue(), 200);
        var status = letter.path("status").stringValue();
        api.await200(letter.path("path").stringValue(), "/status", status);
      }
      if (letter.has("page")) api.awaitStatusCode(page(letter.path("page")), 200);
      if (letter.has("project")) awaitItems(letter.path("project").stringValue(), 1);
    });
  }

  private void putBatch(String object) {
    var slash = object.indexOf('/');
    try (var s3 = Fixture.s3(data)) {
      s3.putObject(
          put -> put.bucket(object.substring(0, slash)).key(object.substring(slash + 1)),
          RequestBody.fromString("[{\"id\":\"1\",\"platform\":\"web\",\"text\":\"mended\"}]"));
    }
  }

  private void theSameKeysNameTheSameThings(JsonNode keys) {
    for (var key : keys) {
      var made =
          api.submit(
              key.path("path").stringValue(),
              key.path("body").stringValue(),
              Map.of("Idempotency-Key", key.path("key").stringValue()));
      assertThat(made).isEqualTo(key.path("made").stringValue());
    }
  }

  private static String page(JsonNode url) {
    return "/api/pages?url=" + URLEncoder.encode(url.stringValue(), UTF_8);
  }

  @Test
  void aFolderOfALaterVersionIsRefusedInOneLineAndLeftAsItIs() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(data.resolve("version"), "format=99\nwritten-by=9.9.9\n");
    Files.createFile(data.resolve("addresses.json"));
    for (var command :
        List.of(
            List.of("up", "--data", data.toString()),
            List.of("index", "rebuild", "-s", "data.dir=" + data))) {
      try (var refused = Product.start(folder.resolve("log"), Map.of(), command)) {
        assertThat(refused.awaitExit()).isEqualTo(2);
        assertThat(refused.output())
            .contains(data.toString(), "format is 99", "9.9.9", "up to " + FORMAT, "--data")
            .hasLineCount(1);
      }
    }
    assertThat(data)
        .isDirectoryNotContaining(
            file -> !List.of("version", "addresses.json").contains(file.getFileName().toString()));
  }
}
