package io.tidemill.indexer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.api.JobFailure;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.contract.page.PageNames;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.IndexLocation;
import io.tidemill.search.query.PageSearch;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.FakeLlm;
import io.tidemill.support.RecordedCall;
import io.tidemill.support.TestEmbedder;
import io.tidemill.worker.ai.RagConfig;
import io.tidemill.worker.ai.RagHandler;
import io.tidemill.worker.tool.SearchTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes on one set of servers that do not see the same index folder.
class IndexElsewhereIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private CrawlPlatform platform;
  private Redis redis;
  private String elsewhere;

  @BeforeEach
  void start() {
    platform = CrawlPlatform.servers();
    redis = new Redis(platform.section(RedisConfig.class));
    elsewhere = "search.dir=" + folder.resolve("other");
  }

  @AfterEach
  void stop() {
    redis.close();
    platform.close();
  }

  private void publish(int first, int count) {
    var metrics = new SimpleMeterRegistry();
    try (var publisher = new AmqpPublisher(platform.section(AmqpConfig.class), metrics)) {
      for (int i = first; i < first + count; i++) {
        var url = "http://mill.example/" + i;
        var page = new PageMessage(url, "a tide mill " + i, "Mill", "", Instant.EPOCH, 200);
        var body = PageCodec.encode(page);
        publisher.publish(
            new OutgoingMessage(
                "", PageNames.QUEUE, body, Map.of(), url, PageNames.CONTENT_TYPE, null));
      }
    }
  }

  private PageSearch pages(Path dir) {
    var location = new IndexLocation(CrawlPlatform.registry(redis), dir);
    return new PageSearch(
        dir,
        platform.section(SearchConfig.class),
        InstantSource.system(),
        TestEmbedder.shared(),
        location);
  }

  private void refusedByTheGateway() {
    for (var path :
        new String[] {
          "/api/search?q=mill", "/api/suggest?q=mi", "/api/pages?url=http://mill.example/1"
        }) {
      var answer = platform.ask(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(503);
      assertThat(answer.headers().firstValue("Content-Type"))
          .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
      assertThat(Json.parse(answer.body()).path("detail").asString())
          .contains("the search index is not here")
          .contains(platform.indexFolder().toString())
          .contains(folder.resolve("other").toString())
          .contains("search.dir");
    }
  }

  @Test
  void aGatewayThatDoesNotSeeTheIndexSaysWhereItIs() {
    platform.gateway(elsewhere);
    // No indexer was ever there: this is a true 0.
    assertThat(platform.search("mill").path("total").asInt(-1)).isZero();

    var indexer = platform.indexer();
    publish(0, 1);
    await().atMost(PATIENCE).until(() -> platform.ask("/api/search?q=mill").statusCode() == 503);

    refusedByTheGateway();
    platform.stop(indexer);
    platform.gateway(elsewhere);
    refusedByTheGateway();
    platform.gateway();
    assertThat(platform.awaitFound("mill", 1)).isNotNull();
  }

  @Test
  void theSameFolderMayHaveAnotherPath() throws IOException {
    var link = folder.resolve("mounted");
    platform.indexer();
    Files.createSymbolicLink(link, platform.indexFolder());
    publish(0, 1);

    platform.gateway("search.dir=" + link);

    platform.awaitFound("mill", 1);
  }

  @Test
  void anIndexThatWasMadeAnewInItsFolderIsFoundAtOnce() throws IOException {
    var indexer = platform.indexer();
    platform.gateway();
    publish(0, 2);
    platform.awaitFound("mill", 2);

    platform.stop(indexer);
    try (var files = Files.list(platform.indexFolder())) {
      for (var file : files.toList()) Files.delete(file);
    }
    platform.indexer();
    publish(0, 1);

    platform.awaitFound("mill", 1);
  }

  @Test
  void aWorkerThatDoesNotSeeTheIndexSaysSo() {
    platform.indexer();
    var search = platform.section(SearchConfig.class);
    try (var pages = pages(folder.resolve("other"));
        var server = new FakeLlm();
        var model = server.model("llm.url=")) {
      var rag = new RagHandler(() -> pages, TestEmbedder.shared(), model, new RagConfig(0.3, 5));
      var tool = new SearchTool(() -> pages, search);

      assertThatThrownBy(() -> rag.handle(new RecordedCall("{\"question\":\"Which mill?\"}")))
          .isInstanceOf(JobFailure.class)
          .hasMessageContaining("the search index is not here");
      assertThatThrownBy(
              () -> tool.call(Json.parse("{\"query\":\"mill\"}"), new RecordedCall("{}")))
          .isInstanceOf(JobFailure.class)
          .hasMessageContaining("search.dir");
    }
  }

  @Test
  void aSecondIndexerInAnotherFolderLeavesThePagesToTheFirst() throws Exception {
    var first = platform.indexer();
    platform.gateway();
    var second = platform.indexerRole(redis, elsewhere, "indexer.take-over=0s");
    second.start();
    try {
      assertThatThrownBy(() -> second.indexHealth().check())
          .hasMessageContaining("pages are not split between two indexes")
          .hasMessageContaining(platform.indexFolder().toString())
          .hasMessageContaining("indexer.take-over");
      assertThatThrownBy(() -> second.health().check()).hasMessageContaining("does not run");

      publish(0, 40);

      platform.awaitFound("mill", 40);

      // It is gone for good as soon as it has stopped: that is what 0s says.
      platform.stop(first);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThatCode(() -> second.indexHealth().check()).doesNotThrowAnyException());
      publish(40, 2);
      platform.gateway(elsewhere);
      platform.awaitFound("mill", 2);
    } finally {
      second.stop();
    }
  }

  @Test
  void anIndexerThatWasKilledGoesOnAtOnce() {
    try (var killed = platform.indexerProcess()) {
      killed.awaitReady();
      publish(0, 1);
      platform.gateway();
      platform.awaitFound("mill", 1);
      killed.kill();
    }

    var again = platform.indexerRole(redis);
    again.start();
    try {
      assertThatCode(() -> again.indexHealth().check()).doesNotThrowAnyException();
      publish(1, 1);
      platform.awaitFound("mill", 2);
    } finally {
      again.stop();
    }
  }
}
