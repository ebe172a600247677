package io.tidemill.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  enum Order {
    FIRST_IN,
    LAST_IN
  }

  @Section("worker")
  record WorkerConfig(
      @Setting(value = "4", doc = "Jobs at once.") int slots,
      @Setting(value = "3600", doc = "Seconds a job is kept.", env = "JOB_TTL_S") long ttlS,
      @Setting(value = "true", doc = "Whether it works.") boolean enabled,
      @Setting(value = "0.5", doc = "A share.") double share,
      @Setting(value = "w", doc = "A name.") String name,
      @Setting(value = "15s", doc = "A beat.") Duration heartbeat,
      @Setting(value = "./data", doc = "A folder.") Path dir,
      @Setting(value = "a, b", doc = "Some tasks.") List<String> tasks,
      @Setting(value = "first-in", doc = "Who | when.") Order order,
      @Setting(value = "200KiB", doc = "A size.") ByteSize maxPayload,
      @Setting(value = "", doc = "A password.", secret = true) String password) {
    WorkerConfig {
      if (slots < 1) {
        throw new IllegalArgumentException("worker.slots is " + slots + ": expected at least 1");
      }
    }
  }

  @Section("servers.kafka")
  record KafkaConfig(@Setting(value = "9092", doc = "A port.") int port) {}

  private static final List<Class<? extends Record>> SECTIONS =
      List.of(WorkerConfig.class, KafkaConfig.class);

  @TempDir Path folder;
  private final Map<String, String> env = new HashMap<>();
  private final Map<String, String> overrides = new HashMap<>();
  private String file = "";

  @Test
  void readsEveryTypeFromItsDefault() {
    assertThat(worker())
        .isEqualTo(
            new WorkerConfig(
                4,
                3600,
                true,
                0.5,
                "w",
                Duration.ofSeconds(15),
                Path.of("./data"),
                List.of("a", "b"),
                Order.FIRST_IN,
                ByteSize.ofKib(200),
                ""));
    assertThat(load().section(KafkaConfig.class).port()).isEqualTo(9092);
  }

  @Test
  void readsEveryTypeFromTheFile() {
    file =
        """
        worker { slots = 8, ttl-s = 60, enabled = off, share = 1, name = x, heartbeat = 200 ms
          dir = /tmp, tasks = [c, d], order = last-in, max-payload = 1 MiB, password = p }
        servers.kafka.port = 1
        """;

    assertThat(worker())
        .isEqualTo(
            new WorkerConfig(
                8,
                60,
                false,
                1,
                "x",
                Duration.ofMillis(200),
                Path.of("/tmp"),
                List.of("c", "d"),
                Order.LAST_IN,
                ByteSize.ofMib(1),
                "p"));
    assertThat(load().section(KafkaConfig.class).port()).isEqualTo(1);
  }

  @Test
  void eachSourceWinsOverTheOneBelow() {
    assertThat(entry("worker.ttl-s"))
        .isEqualTo(new Settings.Entry("worker.ttl-s", "3600", "default"));
    file = "\nworker.ttl-s = 1";
    assertThat(entry("worker.ttl-s").value()).isEqualTo("1");
    assertThat(entry("worker.ttl-s").source()).startsWith("file ").endsWith("tidemill.conf line 2");
    env.put("JOB_TTL_S", "2");
    assertThat(entry("worker.ttl-s"))
        .isEqualTo(new Settings.Entry("worker.ttl-s", "2", "environment JOB_TTL_S"));
    env.put("TIDEMILL_WORKER_TTL_S", "3");
    assertThat(entry("worker.ttl-s"))
        .isEqualTo(new Settings.Entry("worker.ttl-s", "3", "environment TIDEMILL_WORKER_TTL_S"));
    overrides.put("worker.ttl-s", "4");
    assertThat(entry("worker.ttl-s")).isEqualTo(new Settings.Entry("worker.ttl-s", "4", "-s"));
    assertThat(worker().ttlS()).isEqualTo(4);
  }

  @Test
  void listsMayBeWrittenWithCommas() {
    env.put("TIDEMILL_WORKER_TASKS", " x,, y ,");
    assertThat(worker().tasks()).containsExactly("x", "y");
    env.put("TIDEMILL_WORKER_TASKS", "");
    assertThat(worker().tasks()).isEmpty();
  }

  @Test
  void theFileSeesTheGivenEnvironmentOnly() {
    env.put("HOME_OF_JOBS", "/jobs");
    env.put("odd.name%", "ignored");
    file = "worker.dir = ${?HOME_OF_JOBS}, worker.name = ${?PATH}";

    assertThat(worker().dir()).isEqualTo(Path.of("/jobs"));
    assertThat(worker().name()).isEqualTo("w");
  }

  @Test
  void secretsAreNeverShown() {
    overrides.put("worker.password", "hunter2");

    assertThat(entry("worker.password").value()).isEqualTo("***");
    assertThat(worker().password()).isEqualTo("hunter2");
  }

  @Test
  void refusesUnknownKeysWhereverTheyAre() {
    overrides.put("worker.slot", "1");
    assertRefused("unknown setting worker.slot (from -s): did you mean worker.slots");
    overrides.clear();
    env.put("TIDEMILL_WORKER_SLOT", "1");
    assertRefused(
        "unknown setting TIDEMILL_WORKER_SLOT (from environment): did you mean TIDEMILL_WORKER_SLOTS");
    env.clear();
    file = "\n\nnonsense.key = 1";
    assertRefused("unknown setting nonsense.key (from file " + path() + " line 3)");
  }

  @Test
  void leavesTheLaunchersNamesAlone() {
    env.putAll(Map.of("TIDEMILL_JAVA_OPTS", "", "TIDEMILL_HOME", "", "TIDEMILL_LAUNCHER_X", ""));

    assertThat(worker().slots()).isEqualTo(4);
  }

  @Test
  void saysWhatWasExpectedOfEachType() {
    assertBad("slots", "abc", "a whole number");
    assertBad("slots", "4.5", "a whole number");
    assertBad("slots", "99999999999", "a whole number up to 2147483647");
    assertBad("ttl-s", "", "a whole number");
    assertBad("enabled", "maybe", "true or false");
    assertBad("share", "much", "a number");
    assertBad("heartbeat", "soon", "a duration such as 15s or 200ms");
    assertBad("dir", "a\0b", "a path");
    assertBad("order", "FIRST_IN", "one of first-in, last-in");
    assertBad("max-payload", "big", "a size such as 200KiB or 1MB");
  }

  @Test
  void namesTheSourceOfABadValue() {
    env.put("TIDEMILL_WORKER_SLOTS", "abc");
    assertRefused(
        "worker.slots is 'abc' (from environment TIDEMILL_WORKER_SLOTS): expected a whole number");
    env.clear();
    file = "worker.slots = [1, 2]";
    assertRefused(
        "worker.slots is '1,2' (from file " + path() + " line 1): expected one value, not a list");
  }

  @Test
  void namesTheSourceWhenTheRecordRefuses() {
    overrides.put("worker.slots", "0");

    assertRefused("worker.slots is 0 (from -s): expected at least 1");
  }

  @Test
  void reportsAllThatIsWrongAtOnce() {
    overrides.putAll(Map.of("worker.slot", "1", "worker.share", "much"));
    env.putAll(Map.of("TIDEMILL_WORKER_SLOTS", "abc", "TIDEMILL_NONSENSE", "1"));
    file = "servers.kafka.port = here";

    assertThatThrownBy(this::load)
        .isInstanceOfSatisfying(
            SettingsException.class,
            wrong ->
                assertThat(wrong.problems())
                    .containsExactly(
                        "unknown setting worker.slot (from -s): did you mean worker.slots",
                        "unknown setting TIDEMILL_NONSENSE (from environment)",
                        "worker.slots is 'abc' (from environment TIDEMILL_WORKER_SLOTS): expected a whole number",
                        "worker.share is 'much' (from -s): expected a number",
                        "servers.kafka.port is 'here' (from file %s line 1): expected a whole number"
                            .formatted(path())));
  }

  @Test
  void whatWasSetIsTheEnvironmentOfAnotherProcess() {
    overrides.putAll(Map.of("worker.password", "hunter2", "worker.dir", "here/../there"));
    env.put("JOB_TTL_S", "3");
    file = "worker.tasks = [a, b]\nservers.kafka.port = 1";

    assertThat(load().environment(key -> key.startsWith("worker.")))
        .isEqualTo(
            Map.of(
                "TIDEMILL_WORKER_PASSWORD", "hunter2",
                "TIDEMILL_WORKER_DIR", Path.of("there").toAbsolutePath().toString(),
                "TIDEMILL_WORKER_TTL_S", "3",
                "TIDEMILL_WORKER_TASKS", "a,b"));
  }

  @Test
  void tellsWhatWasSetFromDefaults() {
    env.put("TIDEMILL_WORKER_SLOTS", "4");

    assertThat(load().isSet("worker.slots")).isTrue();
    assertThat(load().isSet("worker.name")).isFalse();
  }

  @Test
  void brokenFilesAreNamedWithTheLine() {
    file = "worker {\n  slots = \n";

    assertThatThrownBy(this::load)
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("file " + path() + " line ")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aFileMayBeAbsent() {
    assertThat(Settings.load(null, env, overrides, SECTIONS).entries()).hasSize(12);
    assertThat(Settings.load(folder.resolve("none"), env, overrides, SECTIONS).entries())
        .hasSize(12);
  }

  @Test
  void thePageListsEveryKey() {
    assertThat(SettingsPage.markdown(SECTIONS))
        .contains("## worker\n", "## servers.kafka\n")
        .contains("| `worker.slots` | `4` | `TIDEMILL_WORKER_SLOTS` | Jobs at once. |")
        .contains("| `worker.ttl-s` | `3600` | `TIDEMILL_WORKER_TTL_S`, `JOB_TTL_S` |")
        .contains("| `worker.password` |  | `TIDEMILL_WORKER_PASSWORD` | A password. |")
        .contains("Who \\| when.")
        .contains("| `servers.kafka.port` | `9092` | `TIDEMILL_SERVERS_KAFKA_PORT` | A port. |");
  }

  private void assertBad(String key, String value, String expected) {
    overrides.clear();
    overrides.put("worker." + key, value);
    var shown = value.replace('\0', '?');
    assertRefused("worker.%s is '%s' (from -s): expected %s".formatted(key, shown, expected));
  }

  private void assertRefused(String message) {
    assertThatThrownBy(this::load).isInstanceOf(SettingsException.class).hasMessage(message);
  }

  private WorkerConfig worker() {
    return load().section(WorkerConfig.class);
  }

  private Settings.Entry entry(String key) {
    return load().entries().stream().filter(e -> e.key().equals(key)).findFirst().orElseThrow();
  }

  private Path path() {
    return folder.resolve("tidemill.conf");
  }

  private Settings load() {
    try {
      Files.writeString(path(), file);
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
    return Settings.load(path(), env, overrides, SECTIONS);
  }
}
