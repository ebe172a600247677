package io.tidemill.search.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.lucene.SearchException;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.RedisConfig;
import io.tidemill.search.index.IndexRegistry.Claim;
import io.tidemill.search.index.IndexRegistry.Member;
import io.tidemill.servers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who may write the index of pages.
class IndexRegistryIT {
  private static final Path FOLDER = Path.of("/data/index");
  private static final Path OTHER = Path.of("/other/index");
  private static final Duration TAKE_OVER = Duration.ofMinutes(5);

  @TempDir private static Path folder;
  private static RedisServer server;
  private static Redis redis;
  private final IndexRegistry first = member("first", "one");
  private final IndexRegistry second = member("second", "two");

  @BeforeAll
  static void start() {
    server = new RedisServer(folder, 0, "64mb", "no");
    server.start();
    redis = new Redis(new RedisConfig(server.address(), 1, Duration.ofSeconds(5)));
  }

  @AfterAll
  static void stop() {
    redis.close();
    server.close();
  }

  @BeforeEach
  void forget() {
    redis.call(RedisCommand.DEL, "index:pages");
  }

  private static IndexRegistry member(String id, String host) {
    return new IndexRegistry(redis, new Member(id, host, 42));
  }

  private static boolean claims(IndexRegistry who, String id, Path where, boolean isOpened) {
    return who.claim(id, where, isOpened, TAKE_OVER) instanceof Claim.Granted;
  }

  private static void silentFor(Duration span) {
    var reply = Redis.list(redis.call(RedisCommand.TIME));
    var then = Long.parseLong(Redis.text(reply.getFirst())) * 1_000 - span.toMillis();
    redis.call(RedisCommand.HSET, "index:pages", "seen", String.valueOf(then));
  }

  @Test
  void theFirstIndexIsTheOneInUse() {
    assertThat(first.current()).isEmpty();

    assertThat(claims(first, "a", FOLDER, true)).isTrue();
    assertThat(claims(first, "a", FOLDER, false)).isTrue();

    assertThat(second.current())
        .hasValueSatisfying(index -> {
          assertThat(index.id()).isEqualTo("a");
          assertThat(index.folder()).isEqualTo(FOLDER.toString());
          assertThat(index.host()).isEqualTo("one");
          assertThat(index.isHeld()).isTrue();
        });
  }

  @Test
  void anotherIndexWaitsUntilTheFirstIsGoneForGood() {
    claims(first, "a", FOLDER, true);

    assertThat(claims(second, "b", OTHER, true)).isFalse();
    first.release();
    assertThat(claims(second, "b", OTHER, true)).isFalse();
    assertThat(second.current()).hasValueSatisfying(index -> assertThat(index.id()).isEqualTo("a"));
    silentFor(TAKE_OVER.minusSeconds(30));
    assertThat(claims(second, "b", OTHER, true)).isFalse();
    silentFor(TAKE_OVER.plusSeconds(1));
    assertThat(claims(second, "b", OTHER, true)).isTrue();

    assertThat(claims(first, "a", FOLDER, false)).isFalse();
  }

  @Test
  void theSameIndexGoesOnElsewhereAsSoonAsItsIndexerIsGone() {
    claims(first, "a", FOLDER, true);
    assertThat(claims(second, "a", OTHER, true)).isFalse(); // a copy, or a shared folder

    first.release();
    assertThat(claims(second, "a", OTHER, true)).isTrue();

    silentFor(IndexRegistry.LASTS.plusSeconds(1));
    assertThat(claims(first, "a", FOLDER, true)).isTrue();
  }

  @Test
  void whoOpensTheFolderFollowsWhoeverWroteThere() {
    claims(first, "a", FOLDER, true);
    var restarted = member("restarted", "one");

    assertThat(claims(restarted, "a", FOLDER, true)).isTrue();
    assertThat(claims(first, "a", FOLDER, false)).isFalse();

    // The folder was emptied: its index is a new one.
    assertThat(claims(first, "b", FOLDER, true)).isFalse();
    restarted.release();
    assertThat(claims(first, "b", FOLDER, true)).isTrue();
  }

  @Test
  void aSearchOnAnotherMachineIsToldWhereTheIndexIs() {
    var location = new IndexLocation(second, folder.resolve("none"));
    assertThat(location.state()).isEqualTo("not written yet");

    claims(first, "a", FOLDER, true);

    var elsewhere = new IndexLocation(second, folder.resolve("none"));
    elsewhere.check("a"); // whatever path it has there
    assertThatThrownBy(() -> elsewhere.check("b"))
        .hasMessageContaining("the indexer on one (process 42) writes it to /data/index there")
        .hasMessageContaining("on two has another one")
        .hasMessageContaining("run it on one");
    assertThatThrownBy(elsewhere::state).hasMessageContaining("has no index");
  }

  @Test
  void whatRedisSaidLastHoldsWhileItIsAway() {
    claims(first, "a", FOLDER, true);
    var own = new RedisServer(folder.resolve("own"), 0, "64mb", "no");
    own.start();
    try (var client = new Redis(new RedisConfig(own.address(), 1, Duration.ofSeconds(1)))) {
      var there = new IndexRegistry(client, new Member("third", "three", 7));
      var location = new IndexLocation(there, folder.resolve("none"));
      claims(there, "c", FOLDER, true);
      location.check("c");
      own.close();

      assertThat(location.isInUse("c")).isTrue();
      assertThatThrownBy(() -> location.check("d")).isInstanceOf(SearchException.class);
    } finally {
      own.close();
    }
  }

  @Test
  void oneThatLostItsClaimDoesNotTakeItBack() {
    claims(first, "a", FOLDER, true);
    claims(member("restarted", "one"), "a", FOLDER, true);

    first.release();

    assertThat(second.current()).hasValueSatisfying(index -> assertThat(index.isHeld()).isTrue());
  }
}
