package io.tidemill.app.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Protocol.Command;

/// Migrations that are made up, on a real folder and a real Redis.
class MigrationIT {
  @TempDir static Path folder;
  private static RedisServer server;
  private static Servers servers;

  @TempDir Path data;
  private final List<String> journal = new ArrayList<>();

  @BeforeAll
  static void start() {
    server = new RedisServer(folder.resolve("redis"), 0);
    server.start();
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("redis.url", server.address()),
            List.of(RedisConfig.class, KafkaConfig.class, AmqpConfig.class, S3Config.class));
    servers =
        new Servers(
            new Redis(settings.section(RedisConfig.class)),
            settings.section(KafkaConfig.class),
            settings.section(AmqpConfig.class),
            settings.section(S3Config.class));
  }

  @AfterAll
  static void stop() {
    servers.redis().close();
    server.close();
  }

  @BeforeEach
  void nothingIsStored() {
    servers.redis().call(Command.FLUSHALL);
  }

  @Test
  void anEmptyFolderIsStampedAndNothingElse() throws IOException {
    start(upgrade("1.0", "one", "two"));

    assertThat(Files.readString(data.resolve("version"))).isEqualTo("format=2\nwritten-by=1.0\n");
    assertThat(journal).containsExactly("one: servers", "two: servers");
    assertThat(data.resolve("version.new")).doesNotExist();
  }

  @Test
  void dataWithoutAStampGoesThroughEveryStepInOrderAndOnce() throws IOException {
    Files.createFile(data.resolve("ports.json"));

    start(upgrade("1.0", "one", "two"));
    start(upgrade("1.0", "one", "two"));

    assertThat(journal).containsExactly("one: files", "two: files", "one: servers", "two: servers");
    assertThat(upgrade("1.0", "one", "two").check(data)).contains(new Stamp(2, "1.0"));
  }

  @Test
  void dataWithAStampGoesThroughTheStepsThatItLacks() throws IOException {
    Files.createFile(data.resolve("ports.json"));
    start(upgrade("1.0", "one"));
    journal.clear();

    start(upgrade("1.1", "one", "two", "three"));

    assertThat(journal)
        .containsExactly("two: files", "three: files", "two: servers", "three: servers");
    assertThat(new FolderStamp(data).read()).contains(new Stamp(3, "1.1"));
    assertThat(new ServerStamp(servers.redis()).read()).isEqualTo(new Stamp(3, "1.1"));
  }

  @Test
  void whatACrashBetweenFilesAndServersLeftIsDoneAtTheNextStart() throws IOException {
    Files.createFile(data.resolve("ports.json"));
    upgrade("1.0", "one").files(data); // and the process dies

    start(upgrade("1.0", "one"));

    assertThat(journal).containsExactly("one: files", "one: files", "one: servers");
  }

  @Test
  void whatACrashAmidTheServersLeftIsDoneAtTheNextStart() throws IOException {
    Files.createFile(data.resolve("ports.json"));
    var dying = upgrade("1.0", "one", "dies");
    dying.files(data);
    assertThatThrownBy(() -> dying.servers(servers)).hasMessage("killed");
    assertThat(new FolderStamp(data).read()).contains(Stamp.NONE);
    journal.clear();

    start(upgrade("1.0", "one", "two"));

    // The servers of the first step were done, and had been noted as such.
    assertThat(journal).containsExactly("one: files", "two: files", "two: servers");
  }

  @Test
  void whatACrashBeforeTheFoldersStampLeftIsDoneAtTheNextStart() throws IOException {
    Files.createFile(data.resolve("ports.json"));
    var dying = upgrade("1.0", "one");
    dying.files(data);
    dying.servers(servers);
    journal.clear();

    start(upgrade("1.0", "one"));

    assertThat(journal).containsExactly("one: files");
    assertThat(new FolderStamp(data).read()).contains(new Stamp(1, "1.0"));
  }

  @Test
  void aFolderOfALaterFormatIsRefusedAndLeftAsItIs() throws IOException {
    start(upgrade("2.0", "one", "two"));
    var before = Files.getLastModifiedTime(data.resolve("version"));
    journal.clear();

    assertThatThrownBy(() -> upgrade("1.0", "one").files(data))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "data.dir is '%s': its format is 2, written by 2.0, and this build knows formats up to 1; start the newer version, or name another folder with --data",
            data);

    assertThat(journal).isEmpty();
    assertThat(Files.getLastModifiedTime(data.resolve("version"))).isEqualTo(before);
  }

  @Test
  void serversOfALaterFormatAreRefusedAndLeftAsTheyAre() {
    upgrade("2.0", "one", "two").servers(servers);
    journal.clear();

    assertThatThrownBy(() -> upgrade("1.0", "one").servers(servers))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("format is 2, written by 2.0")
        .hasMessageContaining("name other servers");

    assertThat(journal).isEmpty();
    assertThat(new ServerStamp(servers.redis()).read()).isEqualTo(new Stamp(2, "2.0"));
  }

  @Test
  void whoeverIsBehindNeverLowersTheServersStamp() {
    var stamp = new ServerStamp(servers.redis());
    stamp.raise(new Stamp(3, "3.0"));

    stamp.raise(new Stamp(2, "2.0"));

    assertThat(stamp.read()).isEqualTo(new Stamp(3, "3.0"));
  }

  @Test
  void theSameFormatByAnotherVersionNamesThatVersion() {
    start(upgrade("1.0", "one"));

    start(upgrade("1.1", "one"));

    assertThat(new FolderStamp(data).read()).contains(new Stamp(1, "1.1"));
    assertThat(new ServerStamp(servers.redis()).read()).isEqualTo(new Stamp(1, "1.1"));
  }

  @Test
  void aDamagedStampIsRefused() throws IOException {
    for (var text : List.of("", "format=\n", "format=0\n", "format=-1\n", "format=x", "\0\0\0\0")) {
      Files.writeString(data.resolve("version"), text);
      assertThatThrownBy(() -> upgrade("1.0", "one").check(data))
          .as(text)
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining("'version' is damaged");
    }
    servers.redis().call(Command.SET, ServerStamp.KEY, "1");
    assertThatThrownBy(() -> upgrade("1.0", "one").servers(servers))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("tidemill:format is damaged");
  }

  @Test
  void whatALaterVersionAddsToTheStampIsPassedOver() {
    assertThat(Stamp.parse("format=7\nwritten-by=9.1\nat=sea\n")).isEqualTo(new Stamp(7, "9.1"));
  }

  // As `up` does.
  private void start(Upgrade upgrade) {
    upgrade.files(data);
    upgrade.servers(servers);
    upgrade.finish(data);
  }

  private Upgrade upgrade(String version, String... steps) {
    return new Upgrade(
        version, List.of(steps).stream().map(name -> (Migration) new MadeUp(name)).toList());
  }

  private final class MadeUp implements Migration {
    private final String name;

    MadeUp(String name) {
      this.name = name;
    }

    @Override
    public String what() {
      return name;
    }

    @Override
    public void files(Path data) {
      journal.add(name + ": files");
    }

    @Override
    public void servers(Servers servers) {
      if (name.equals("dies")) throw new IllegalStateException("killed");
      journal.add(name + ": servers");
    }
  }
}
