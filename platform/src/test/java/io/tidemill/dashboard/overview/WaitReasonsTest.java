package io.tidemill.dashboard.overview;

import static io.tidemill.dashboard.overview.ContractChannels.COLLECTED;
import static io.tidemill.dashboard.overview.ContractChannels.CRAWL_REQUESTS;
import static io.tidemill.dashboard.overview.ContractChannels.CRAWL_RESPONSES;
import static io.tidemill.dashboard.overview.ContractChannels.JOBS;
import static io.tidemill.dashboard.overview.ContractChannels.PAGES;
import static io.tidemill.dashboard.overview.ContractChannels.TASKS;
import static io.tidemill.dashboard.overview.ContractChannels.WORKFLOWS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.crawl.FrontierInspector;
import io.tidemill.dashboard.overview.ChannelState.Wait;
import io.tidemill.dashboard.overview.WaitReason.Level;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.observe.Reading;
import io.tidemill.presence.PresenceStore;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class WaitReasonsTest {
  private static final long NOW = 1_700_000_000_000L;

  /// A channel, put together piece by piece.
  record Given(
      ContractChannels contract,
      @Nullable Long depth,
      int consumers,
      @Nullable Long oldest,
      @Nullable String trouble,
      List<PresenceStore.Seen> readers,
      int slots,
      int busy,
      int paused,
      @Nullable Double rate,
      List<Wait> waits) {
    static Given of(ContractChannels contract, long depth) {
      return new Given(contract, depth, 0, null, null, List.of(), 0, 0, 0, null, List.of());
    }

    Given read() {
      return read(Map.of());
    }

    Given read(Map<String, PresenceStore.Check> checks) {
      var more = new ArrayList<>(readers);
      more.add(new PresenceStore.Seen(process(contract.to, checks), NOW - 1_000, false));
      return new Given(
          contract, depth, consumers + 1, oldest, trouble, more, slots, busy, paused, rate, waits);
    }

    Given starting(Map<String, PresenceStore.Check> checks) {
      var more = new ArrayList<>(readers);
      more.add(new PresenceStore.Seen(process(contract.to, true, checks), NOW - 1_000, false));
      return new Given(
          contract, depth, consumers, oldest, trouble, more, slots, busy, paused, rate, waits);
    }

    Given silent(long millis) {
      var more = new ArrayList<>(readers);
      more.add(new PresenceStore.Seen(process(contract.to, Map.of()), NOW - millis, true));
      return new Given(
          contract, depth, consumers, oldest, trouble, more, slots, busy, paused, rate, waits);
    }

    Given consumers(int count) {
      return new Given(
          contract, depth, count, oldest, trouble, readers, slots, busy, paused, rate, waits);
    }

    Given down(String why) {
      return new Given(
          contract, null, consumers, oldest, why, readers, slots, busy, paused, rate, waits);
    }

    Given slots(int all, int used) {
      return new Given(
          contract, depth, consumers, oldest, trouble, readers, all, used, paused, rate, waits);
    }

    Given paused(int count) {
      return new Given(
          contract, depth, consumers, oldest, trouble, readers, slots, busy, count, rate, waits);
    }

    Given pace(double done, long oldestMillis) {
      return new Given(
          contract,
          depth,
          consumers,
          NOW - oldestMillis,
          trouble,
          readers,
          slots,
          busy,
          paused,
          done,
          waits);
    }

    Given waits(Wait... all) {
      return new Given(
          contract,
          depth,
          consumers,
          oldest,
          trouble,
          readers,
          slots,
          busy,
          paused,
          rate,
          List.of(all));
    }

    ChannelState channel() {
      return new ChannelState(
          contract, depth, 0L, consumers, oldest, trouble, readers, slots, busy, paused, rate,
          waits);
    }
  }

  private static PresenceStore.Member process(
      String role, Map<String, PresenceStore.Check> checks) {
    return process(role, false, checks);
  }

  private static PresenceStore.Member process(
      String role, boolean isStarting, Map<String, PresenceStore.Check> checks) {
    return new PresenceStore.Member(
        "id", "box", 42, "1", List.of(role), NOW - 60_000, isStarting, checks, Map.of(), Map.of());
  }

  private static Arguments row(Given given, String... expected) {
    return Arguments.of(given, List.of(expected));
  }

  static Stream<Arguments> channels() {
    var host = new Wait.Hosts("slow.test", NOW + 40_000, "its robots.txt asks for it", 1);
    var pages = new Wait.Pages(7, 2);
    return Stream.of(
        // Nothing waits: nothing to say, whoever is missing.
        row(Given.of(JOBS, 0)),
        row(Given.of(JOBS, 0).silent(20_000)),
        // A server is down: that comes before everything else.
        row(
            Given.of(WORKFLOWS, 0).down("connection refused"),
            "SERVER_DOWN DOWN Kafka does not answer (connection refused): nothing gets through workflows until it does."),
        row(
            Given.of(PAGES, 0).silent(20_000).down("not connected"),
            "SERVER_DOWN DOWN The AMQP broker does not answer (not connected): nothing gets through crawler_queue until it does."),
        // Nobody reads.
        row(
            Given.of(JOBS, 3),
            "NO_CONSUMER DOWN 3 jobs wait: no process runs the worker role. Start one: ./tidemill run worker"),
        row(
            Given.of(COLLECTED, 1),
            "NO_CONSUMER DOWN 1 batch waits: no process runs the collector role. Start one: ./tidemill run collector"),
        row(
            Given.of(PAGES, 5).silent(14_000),
            "NO_CONSUMER DOWN 5 pages wait: box:42, which ran the indexer role, was last heard of 14 s ago. Start it again: ./tidemill run indexer"),
        // The broker still counts one that was killed.
        row(
            Given.of(CRAWL_REQUESTS, 1).silent(12_000).consumers(1),
            "NO_CONSUMER DOWN 1 crawl request waits: box:42, which ran the crawler role, was last heard of 12 s ago. Start it again: ./tidemill run crawler"),
        // Somebody else's program reads: it is not ours to start.
        row(Given.of(PAGES, 5).consumers(1), "BUSY BUSY 5 pages are in turn"),
        row(Given.of(PAGES, 5).silent(12_000).consumers(2), "BUSY BUSY 5 pages are in turn"),
        row(
            Given.of(TASKS, 2)
                .read(Map.of("processor", new PresenceStore.Check(false, "silent for 25 s")))
                .consumers(0),
            "NO_CONSUMER DOWN 2 tasks wait: box:42 runs the processor role but does not read tasks: silent for 25 s"),
        row(
            Given.of(TASKS, 2).read().consumers(0),
            "NO_CONSUMER DOWN 2 tasks wait: box:42 runs the processor role but does not read tasks yet"),
        // One that has just been started may take a moment.
        row(
            Given.of(TASKS, 2).starting(Map.of()),
            "BUSY BUSY box:42, which runs the processor role, is starting"),
        row(
            Given.of(PAGES, 2)
                .starting(Map.of("indexer", new PresenceStore.Check(false, "not connected")))
                .consumers(1),
            "BUSY BUSY box:42, which runs the indexer role, is starting"),
        row(
            Given.of(TASKS, 2).starting(Map.of()).read().consumers(0),
            "NO_CONSUMER DOWN 2 tasks wait: box:42, box:42 runs the processor role but does not read tasks yet"),
        // What waits outside of the broker waits all the same.
        row(
            Given.of(CRAWL_REQUESTS, 0).waits(pages, host),
            "NO_CONSUMER DOWN 7 pages of 2 crawls wait: no process runs the crawler role. Start one: ./tidemill run crawler"),
        row(
            Given.of(CRAWL_REQUESTS, 0).read().waits(pages, host),
            "HOST_WAITS BUSY slow.test is asked again in 40 s: its robots.txt asks for it @40000"),
        row(
            Given.of(CRAWL_REQUESTS, 0)
                .read()
                .waits(pages, new Wait.Hosts("a.test", NOW + 500, "politeness", 3)),
            "HOST_WAITS BUSY a.test is asked again in less than a second: politeness; 2 more wait like it @500"),
        row(Given.of(CRAWL_REQUESTS, 0).read().waits(pages)),
        row(
            Given.of(CRAWL_REQUESTS, 0)
                .read()
                .waits(pages, new Wait.Retries("page is tried again", 1, NOW + 8_000)),
            "RETRY_AT BUSY 1 page is tried again in 8 s @8000"),
        row(
            Given.of(TASKS, 2)
                .read()
                .waits(new Wait.Retries("tasks are tried again, the first", 2, NOW + 180_000)),
            "RETRY_AT BUSY 2 tasks are tried again, the first in 3 min at the earliest @180000"),
        row(
            Given.of(WORKFLOWS, 1).read().waits(new Wait.Unpublished(1)),
            "PAUSED BUSY 1 workflow is written down and not published yet; a gateway does it by itself"),
        // Somebody reads and gets nothing done.
        row(
            Given.of(COLLECTED, 4)
                .read(
                    Map.of(
                        "collector",
                        new PresenceStore.Check(false, "nothing gets through: no S3"))),
            "PAUSED WARN the collector waits and tries again by itself: nothing gets through: no S3"),
        row(
            Given.of(COLLECTED, 4)
                .read(
                    Map.of(
                        "collector", new PresenceStore.Check(false, "nothing gets through: no S3")))
                .read(Map.of("collector", new PresenceStore.Check(true, "connected"))),
            "BUSY BUSY 4 batches are in turn"),
        row(
            Given.of(CRAWL_RESPONSES, 4).read().pace(0, 95_000),
            "PAUSED WARN nothing has moved, and the oldest waits for 95 s although box:42 reads: look at its log"),
        row(
            Given.of(CRAWL_RESPONSES, 4).read().pace(0, 4_000),
            "BUSY BUSY 4 answers of crawls are in turn"),
        row(
            Given.of(WORKFLOWS, 5_000).read().paused(2),
            "BACK_PRESSURE WARN the processor holds as much as it may of 2 partitions and reads on when that is done. If it lasts, start another: ./tidemill run processor"),
        // All hands are busy.
        row(
            Given.of(JOBS, 120).read().slots(64, 64).pace(4, 9_000),
            "BUSY BUSY all 64 slots of 1 worker process are in use, 4.0 a second are done, about 30 s to go. To get on faster start another (./tidemill run worker) or raise worker.slots"),
        row(
            Given.of(JOBS, 3).read().slots(64, 2).pace(1, 1_000),
            "BUSY BUSY 3 jobs are in turn, 1.0 a second are done, about 3 s to go"),
        // Jobs have reasons of their own.
        row(
            Given.of(JOBS, 2).read().waits(new Wait.Unable("embed", 2)),
            "NO_CONSUMER WARN 2 jobs of the task embed wait: no worker that is there does it (worker.tasks). Start one: ./tidemill run worker -s worker.tasks=embed"),
        row(
            Given.of(JOBS, 9).read().waits(new Wait.Limited("chat", 9, 4, false)),
            "LIMIT BUSY 9 jobs of the task chat wait: 4 are under way, as many as jobs.limits allows"),
        row(
            Given.of(JOBS, 1).read().waits(new Wait.Limited("chat", 1, 2, true)),
            "LIMIT BUSY 1 job of the task chat waits: 2 of a tenant are under way, as many as jobs.limits-per-key allows"),
        row(
            Given.of(JOBS, 10_000)
                .read()
                .slots(64, 64)
                .waits(new Wait.Full("10000 jobs wait or run")),
            "BUSY BUSY all 64 slots of 1 worker process are in use. To get on faster start another (./tidemill run worker) or raise worker.slots",
            "BACK_PRESSURE WARN 10000 jobs wait or run"),
        row(
            Given.of(JOBS, 10_000).waits(new Wait.Full("10000 jobs wait or run")),
            "NO_CONSUMER DOWN 10000 jobs wait: no process runs the worker role. Start one: ./tidemill run worker",
            "BACK_PRESSURE WARN 10000 jobs wait or run"));
  }

  @ParameterizedTest
  @MethodSource("channels")
  void saysWhyItWaits(Given given, List<String> expected) {
    assertThat(WaitReasons.of(given.channel(), NOW))
        .extracting(WaitReasonsTest::text)
        .isEqualTo(expected);
  }

  private static String text(WaitReason reason) {
    var until = reason.until() == null ? "" : " @" + (reason.until() - NOW);
    return reason.code() + " " + reason.level() + " " + reason.text() + until;
  }

  private static final List<OverallHealth.Role> ALL =
      Stream.of("gateway", "crawler", "indexer", "collector", "processor", "worker")
          .map(name -> new OverallHealth.Role(name, "up", List.of()))
          .toList();
  private static final ServerState.State UP = new ServerState.State("kafka", "up", "", "");

  private static String verdict(
      List<ServerState.State> servers,
      List<OverallHealth.Role> roles,
      List<WaitReason> reasons,
      long dead) {
    var verdict = OverallHealth.of(servers, roles, reasons, reasons.size(), dead);
    return verdict.level() + " " + verdict.text();
  }

  @Test
  void theVerdictIsOneLineOnTheWorst() {
    var busy = WaitReason.of(WaitReason.Code.BUSY, Level.BUSY, "3 jobs are in turn");
    var stuck =
        WaitReason.of(WaitReason.Code.NO_CONSUMER, Level.DOWN, "3 jobs wait: nobody is there");
    var down = WaitReason.of(WaitReason.Code.SERVER_DOWN, Level.DOWN, "Kafka does not answer");
    var kafka = new ServerState.State("kafka", "down", "refused", "127.0.0.1:9092");
    var llm = new ServerState.State("llm", "down", "refused", "");
    var lost = new ArrayList<>(ALL);
    lost.set(
        5,
        new OverallHealth.Role("worker", "partly", List.of("box:42 was last heard of 12 s ago")));

    assertThat(verdict(List.of(UP), ALL, List.of(), 0))
        .isEqualTo("OK All is well: six roles run, nothing waits.");
    assertThat(verdict(List.of(UP), ALL, List.of(), 2))
        .isEqualTo(
            "OK All is well: six roles run, nothing waits. 2 dead letters are there to look at.");
    assertThat(verdict(List.of(UP), ALL, List.of(busy), 0)).isEqualTo("BUSY 3 jobs are in turn.");
    assertThat(verdict(List.of(UP), ALL, List.of(busy, stuck), 0))
        .isEqualTo("DOWN 3 jobs wait: nobody is there.");
    assertThat(verdict(List.of(UP), lost, List.of(busy), 0))
        .isEqualTo("WARN box:42 was last heard of 12 s ago.");
    assertThat(verdict(List.of(kafka), ALL, List.of(down, down, stuck), 0))
        .isEqualTo(
            "DOWN Kafka at 127.0.0.1:9092 does not answer (refused): crawls, workflows and tasks wait until it does. And 1 more.");
    var starting = new ArrayList<>(ALL);
    starting.set(1, new OverallHealth.Role("crawler", "starting", List.of("box:42 is starting")));
    assertThat(verdict(List.of(UP), starting, List.of(), 0)).isEqualTo("BUSY box:42 is starting.");
    var asked = new ServerState.State("s3", "starting", "has yet to answer", "");
    assertThat(verdict(List.of(UP, asked), ALL, List.of(), 0))
        .isEqualTo("BUSY s3 has yet to answer.");
    assertThat(verdict(List.of(UP, llm), ALL, List.of(), 0))
        .isEqualTo(
            "WARN Llm does not answer (refused): jobs that need the model fail or wait until it does.");
  }

  @Test
  void rolesThatNobodyStartedAreNoTroubleAsLongAsNothingWaitsForThem() {
    var two =
        ALL.stream()
            .map(role ->
                List.of("gateway", "worker").contains(role.name())
                    ? role
                    : new OverallHealth.Role(role.name(), "down", List.of()))
            .toList();

    assertThat(verdict(List.of(UP), two, List.of(), 0))
        .isEqualTo(
            "OK All is well: gateway and worker run, nothing waits. Not started: crawler, indexer, collector, processor.");
  }

  @Test
  void ratesComeFromDifferencesAndSurviveARestart() {
    var rates = new CounterRates();
    rates.add(0, counts(Map.of("one", 100.0, "two", 7.0)));
    assertThat(rates.rate("done")).isNull();

    rates.add(2_000_000_000L, counts(Map.of("one", 120.0, "three", 50.0)));
    assertThat(rates.rate("done")).isEqualTo(10.0);

    rates.add(4_000_000_000L, counts(Map.of("one", 3.0))); // it was started again
    assertThat(rates.rate("done")).isEqualTo(0.0);
    assertThat(rates.rate("unknown")).isNull();
  }

  private static CounterRates.Counts counts(Map<String, Double> byProcess) {
    var counts = new CounterRates.Counts();
    byProcess.forEach((who, value) -> counts.add("done", who, value));
    return counts;
  }

  @Test
  void whoCouldNotSpeakUpWhileRedisWasAwayIsNotGone() {
    var known = new LastKnownProcesses();
    var second = 1_000_000_000L;
    var there = new PresenceStore.Seen(process("worker", Map.of()), NOW, false);
    var silent = new PresenceStore.Seen(process("worker", Map.of()), NOW, true);

    known.judge(Reading.of(new PresenceStore.Snapshot(NOW, List.of(there))), 0);
    assertThat(known.judge(Reading.failed("no answer"), 5 * second).value()).isNull();
    assertThat(known.lastKnown()).containsExactly(there);

    var back = Reading.of(new PresenceStore.Snapshot(NOW + 12_000, List.of(silent)));
    assertThat(requireNonNull(known.judge(back, 12 * second).value()).processes())
        .containsExactly(there);
    assertThat(requireNonNull(known.judge(back, 16 * second).value()).processes())
        .containsExactly(silent);
  }

  @Test
  void aProcessThatStartsHasNoFaultsYet() {
    var checks = Map.of("crawler", new PresenceStore.Check(false, "no partitions yet"));
    var starting = new PresenceStore.Seen(process("crawler", true, checks), NOW, false);
    var stuck = new PresenceStore.Seen(process("crawler", false, checks), NOW, false);

    assertThat(roles(starting).at("/1/status").asString()).isEqualTo("starting");
    assertThat(roles(starting).at("/1/processes/0/checks/crawler/status").asString())
        .isEqualTo("starting");
    assertThat(roles(stuck).at("/1/status").asString()).isEqualTo("partly");
    assertThat(roles(stuck).at("/1/processes/0/checks/crawler/status").asString())
        .isEqualTo("down");
  }

  private static JsonNode roles(PresenceStore.Seen process) {
    var tree = overview(process, Reading.pending());
    // What was asked just now is no trouble.
    assertThat(tree.at("/verdict/level").asString()).isNotEqualTo("down");
    assertThat(tree.get("contracts").valueStream()).allMatch(row -> row.get("why").isEmpty());
    return tree.get("roles");
  }

  private static JsonNode overview(
      PresenceStore.Seen process, Reading<JobQueueInspector.QueueState> jobs) {
    var all = List.of(process);
    var found =
        new OverviewSnapshot(
            NOW,
            Reading.of(new PresenceStore.Snapshot(NOW, all)),
            all,
            Reading.pending(),
            Reading.pending(),
            jobs,
            Reading.pending(),
            Reading.pending(),
            Reading.pending(),
            Reading.pending(),
            List.of(),
            List.of());
    try (var redis = new Redis(new RedisConfig("redis://127.0.0.1:1", 1, Duration.ofSeconds(1)))) {
      var frontier = new FrontierInspector(redis, Duration.ofSeconds(1), 4);
      var waits = new HiddenBacklog(new HiddenBacklog.Limits(100, 0.8, () -> 0, frontier));
      return new OverviewView(found, waits, new CounterRates()).tree("1", "jobs:stream");
    }
  }

  @Test
  void aJobThatOnlyAWorkerHoldsWhichIsGoneWaits() {
    var killed = new PresenceStore.Seen(process("worker", Map.of()), NOW - 12_000, true);
    var there = new PresenceStore.Seen(process("worker", Map.of()), NOW - 1_000, false);
    var held =
        new JobQueueInspector.QueueState(
            NOW, 0, 0, 1, 1, null, List.of(), Map.of("its-name", List.of()));

    var row = overview(killed, Reading.of(held)).at("/contracts/4");
    assertThat(row.get("depth").asLong()).isEqualTo(1);
    assertThat(row.get("running").asLong()).isZero();
    assertThat(row.at("/why/0/text").asString()).startsWith("1 job waits: box:42, which ran");

    row = overview(there, Reading.of(held)).at("/contracts/4");
    assertThat(row.get("depth").asLong()).isZero();
    assertThat(row.get("running").asLong()).isEqualTo(1);
  }

  @Test
  void whatDoesNotAnswerIsToldAndKeepsNothingElseFromBeingTold() {
    var config = new RedisConfig("redis://127.0.0.1:1", 1, Duration.ofSeconds(1));
    try (var redis = new Redis(config)) {
      var frontier = new FrontierInspector(redis, Duration.ofSeconds(1), 4);
      var waits = new HiddenBacklog(new HiddenBacklog.Limits(100, 0.8, () -> 0, frontier));
      var amqp = new ServerState.State("amqp", "down", "refused", "");
      var found =
          new OverviewSnapshot(
              NOW,
              Reading.failed("a"),
              List.of(),
              Reading.failed("b"),
              Reading.failed("c"),
              Reading.failed("d"),
              Reading.failed("e"),
              Reading.failed("f"),
              Reading.failed("g"),
              Reading.failed("h"),
              List.of(amqp),
              List.of());

      var rates = new CounterRates();
      rates.add(0, ChannelCounters.of(found));
      var tree = new OverviewView(found, waits, rates).tree("1", "jobs:stream");

      assertThat(tree.at("/verdict/text").asString())
          .isEqualTo(
              "Amqp does not answer (refused): crawled pages and batches wait until it does.");
      assertThat(tree.get("contracts").valueStream())
          .hasSize(7)
          .allSatisfy(row -> {
            for (var unknown : List.of("depth", "running", "consumers", "dead", "rate")) {
              assertThat(row.get(unknown).isNull()).as(unknown).isTrue();
            }
            assertThat(row.at("/why/0/code").asString()).isEqualTo("SERVER_DOWN");
          });
      assertThat(tree.get("roles").valueStream())
          .allMatch(role -> role.get("status").asString().equals("down"));
    }
  }
}
