package io.tidemill.cli;

import static io.tidemill.cli.FakeGateway.Canned.events;
import static io.tidemill.cli.FakeGateway.Canned.json;
import static io.tidemill.cli.FakeGateway.Canned.noContent;
import static io.tidemill.cli.FakeGateway.Canned.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.cli.client.Commands.BenchRequest;
import io.tidemill.cli.client.Commands.Finding;
import io.tidemill.cli.client.Commands.Level;
import io.tidemill.cli.client.Commands.RunRequest;
import io.tidemill.cli.client.Commands.UpRequest;
import io.tidemill.cli.job.JobCommands;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.cli.terminal.ShellText;
import io.tidemill.cli.terminal.Terminal;
import io.tidemill.config.SettingsException;
import io.tidemill.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CliTest {
  private static final String JOB = "0f8fad5b-d9cb-469f-a165-70867728950e";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> env = new HashMap<>();
  private final FakeLauncher launcher = new FakeLauncher();
  private final FakeGateway gateway = new FakeGateway();
  private String in = "";

  @TempDir Path folder;

  CliTest() throws IOException {
    env.put("TIDEMILL_HTTP_URL", gateway.url());
  }

  @AfterEach
  void stopTheGateway() {
    gateway.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--help", "-h"})
  void showsEveryCommandWithAnExample(String argument) {
    assertThat(argument.isEmpty() ? run() : run(argument)).isZero();

    assertThat(out())
        .contains("up ", "run ", "env ", "job ", "status ", "doctor ", "dead ", "bench ", "test ")
        .contains("crawl ", "search ", "pages ")
        .contains("$ tidemill job tool")
        .doesNotContain("warm");
  }

  @Test
  void explainsExitCodesInTheHelpOfEachCommand() {
    assertThat(run("job", "cancel", "--help")).isZero();

    assertThat(out()).contains("Usage: tidemill job cancel", "--reason", "Exit codes:", "130");
  }

  @Test
  void handsUpItsOptions() throws IOException {
    var file = Files.writeString(folder.resolve("my.conf"), "");

    run(
        "up",
        "--only",
        "gateway,worker",
        "--data",
        "d",
        "--http-port",
        "0",
        "-s",
        "a.b=c,d=e",
        "-c",
        file.toString());

    assertThat(launcher.asked)
        .containsExactly(
            new UpRequest(
                List.of("gateway", "worker"),
                Map.of("data.dir", "d", "http.port", "0", "a.b", "c,d=e"),
                Optional.of(file)));
  }

  @Test
  void handsRunItsRolesAndReturnsItsCode() {
    launcher.code = 1;

    assertThat(run("run", "worker", "gateway", "worker")).isEqualTo(1);

    assertThat(launcher.asked)
        .containsExactly(new RunRequest(List.of("worker", "gateway"), Map.of(), Optional.empty()));
  }

  @Test
  void saysWhichRolesThereAre() {
    assertThat(run("up", "--only", "chef")).isEqualTo(ExitCode.USAGE);

    assertThat(err())
        .contains(
            "the role 'chef' does not exist: expected one of gateway, crawler, indexer, collector, processor, worker");
  }

  @Test
  void handsBenchItsOptions() {
    run("bench", "--quick", "--json");
    assertThat(run("bench", "everything")).isEqualTo(ExitCode.USAGE);

    assertThat(launcher.asked)
        .containsExactly(new BenchRequest("jobs", true, true, Map.of(), Optional.empty()));
  }

  @Test
  void warmsForTheLauncherScript() {
    assertThat(run("warm", "scratch")).isZero();

    assertThat(launcher.asked).containsExactly(Path.of("scratch"));
  }

  @Test
  void showsFindingsWithWhatToDo() {
    launcher.findings =
        List.of(
            new Finding("redis", Level.OK, "answers", ""),
            new Finding("http.port", Level.FAIL, "8080 is taken", "use --http-port"));

    assertThat(run("doctor")).isEqualTo(ExitCode.FAILED);
    assertThat(out())
        .isEqualTo(
            """
            ok    redis      answers
            FAIL  http.port  8080 is taken
                             -> use --http-port
            """);
  }

  @Test
  void showsFindingsToScripts() {
    launcher.findings = List.of(new Finding("disk", Level.WARN, "nearly full", "make room"));

    assertThat(run("doctor", "--json")).isZero();
    assertThat(out()).contains("\"level\":\"warn\"");
  }

  @Test
  void tellsBadSettingsInOneLine() {
    launcher.failure = new SettingsException("http.port is 'x' (from -s): expected a number");

    assertThat(run("up", "-s", "http.port=x")).isEqualTo(ExitCode.USAGE);
    assertThat(err()).isEqualTo("tidemill: http.port is 'x' (from -s): expected a number\n");
  }

  @Test
  void tellsTheUnexpectedInOneLineToo() {
    launcher.failure = new IllegalStateException("broken\nin two lines");

    assertThat(run("up")).isEqualTo(ExitCode.FAILED);
    assertThat(err()).isEqualTo("tidemill: unexpected IllegalStateException: broken\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ups",
        "up --nope",
        "up extra",
        "run",
        "up --http-port x",
        "up -s novalue",
        "job",
        "job dance",
        "job tool {",
        "job tool [] ",
        "job tool @/no/such/file",
        "job show",
        "job list --status finished",
        "job list --task sing",
        "crawl",
        "crawl http://a/ --scope world",
        "crawl http://a/ --max-bytes much",
        "crawl http://a/ --pages many",
        "crawl show",
        "crawl list --status foo",
        "search",
        "search x --sort oldest",
        "search x --mode vector",
        "pages",
        "pages show",
        "analytics p --limit many",
        "dead",
        "dead redrive",
        "dead redrive 1-0 --all",
        "dead redrive 1-0 --query x",
        "dead redrive --all --rate 0",
        "dead redrive --query x --again",
        "dead discard",
        "dead discard 1-0 --all",
        "dead list --state gone",
        "dead causes --source mail",
        "dead edit",
        "dead edit 1-0 --value /no/such.json",
        "dead list --limit x",
        "audit --limit 0",
        "job list --limit 501",
        "crawl list --limit 0",
        "crawl list --before x",
        "workflow list --before -1",
        "status --url http://me:secret@x",
        "dead list --source mail",
        "dead redrive --all --source mail",
        "workflow tides --steps a --priority urgent",
        "workflow tides --steps validate,,",
        "workflow list --status foo",
        "workflow list --priority urgent",
        "workflow retry wf-1 --from-step -1",
        "task list --status foo",
        "task data_export --max-retries -1",
        "task retry task-1 --max-retries 101",
        "status -c /no/such.conf",
        "status --url ftp://x",
        "status --url nonsense"
      })
  void answersWrongUsageWithOneLineAndCodeTwo(String line) {
    assertThat(run(line.strip().split(" "))).isEqualTo(ExitCode.USAGE);

    assertThat(err()).startsWith("tidemill: ").hasLineCount(1);
    assertThat(out()).isEmpty();
  }

  @Test
  void guessesWhatWasMeant() {
    run("statsu");

    assertThat(err()).contains("there is no command 'statsu'", "did you mean status?");
  }

  @Test
  void twoSwappedLettersAreOneMistake() {
    run("serach", "tide");

    assertThat(err()).contains("there is no command 'serach'", "did you mean search?");
  }

  @Test
  void whatToTypeNextGoesToTheSameGateway() {
    env.remove("TIDEMILL_HTTP_URL");
    gateway.on("POST /v1/jobs", json(202, "{\"job_id\":\"" + JOB + "\"}"));

    run("job", "tool", "{\"name\":\"echo\"}", "--url", gateway.url());

    assertThat(err()).endsWith("tidemill job follow " + JOB + " --url " + gateway.url() + "\n");
  }

  @Test
  void submitsAJobAndPrintsItsId() {
    gateway.on("POST /v1/jobs", json(202, "{\"job_id\":\"" + JOB + "\"}"));

    var code =
        run(
            "job",
            "tool",
            "{\"name\":\"echo\"}",
            "--ttl",
            "60",
            "--idempotency-key",
            "k",
            "--key",
            "secret");

    assertThat(code).isZero();
    assertThat(out()).isEqualTo(JOB + "\n");
    assertThat(err()).isEqualTo("follow it to its result: tidemill job follow " + JOB + "\n");
    var request = gateway.seen().getFirst();
    assertThat(Json.parse(request.body()))
        .isEqualTo(Json.parse("{\"task\":\"tool\",\"payload\":{\"name\":\"echo\"},\"ttl_s\":60}"));
    assertThat(request.header("idempotency-key")).contains("k");
    assertThat(request.header("authorization")).contains("Bearer secret");
  }

  @Test
  void givesScriptsThatSubmitAJobTheAnswerAlone() {
    gateway.on("POST /v1/jobs", json(202, "{\"job_id\":\"1\"}"));

    assertThat(run("job", "chat", "--json")).isZero();

    assertThat(out()).isEqualTo("{\"job_id\":\"1\"}\n");
    assertThat(err()).isEmpty();
  }

  @Test
  void readsThePayloadFromStandardInputOrAFile() throws IOException {
    gateway.on("POST /v1/jobs", json(202, "{\"job_id\":\"1\"}"));
    in = "{\"from\":\"stdin\"}";
    var file = Files.writeString(folder.resolve("p.json"), "{\"from\":\"file\"}");

    run("job", "chat", "-");
    run("job", "chat", "@" + file);
    run("job", "chat");

    assertThat(gateway.seen())
        .extracting(request -> Json.text(Json.parse(request.body()).path("payload")))
        .containsExactly("{\"from\":\"stdin\"}", "{\"from\":\"file\"}", "{}");
  }

  @Test
  void followsAJobToItsResult() {
    gateway
        .on("POST /v1/jobs", json(202, "{\"job_id\":\"" + JOB + "\"}"))
        .on("GET /v1/jobs/" + JOB + "/events", events(ended("done", "{\"result\":{\"n\":1}}")))
        .on("GET /v1/jobs/" + JOB, json(200, "{\"status\":\"done\",\"result\":{\"n\":1}}"));

    assertThat(run("job", "tool", "{}", "--follow")).isZero();

    assertThat(out().lines().map(line -> line.replaceFirst("^[0-9:.]+ ", "T ")))
        .containsExactly(
            "T queued gateway.enqueue",
            "T running worker.start {\"attempt\":1}",
            "T progress worker.tool  50 % half",
            "T log worker.tool hello[31m",
            "two tokens",
            "T done worker.done",
            "{",
            "  \"n\" : 1",
            "}");
  }

  @Test
  void neverJoinsTheTextsOfTwoTries() { // F33
    gateway
        .on(
            "GET /v1/jobs/1/events",
            events(
                event("token", "worker.chat", "{\"text\":\"Hel\",\"attempt\":1,\"try\":1}")
                    + event("token", "worker.chat", "{\"text\":\"Hal\",\"attempt\":1,\"try\":2}")
                    + event("token", "worker.chat", "{\"text\":\"Hel\",\"attempt\":2,\"try\":1}")
                    + event("token", "worker.chat", "{\"text\":\"lo\",\"attempt\":2,\"try\":1}")
                    + event("done", "worker.done", "{}")))
        .on("GET /v1/jobs/1", json(200, "{\"status\":\"done\",\"result\":null}"));

    assertThat(run("job", "follow", "1")).isZero();

    assertThat(out())
        .startsWith(
            """
            Hel
            … the text begins anew (attempt 1, try 2)
            Hal
            … the text begins anew (attempt 2, try 1)
            Hello
            """);
  }

  @Test
  void movesABarOnATerminal() {
    env.put(Terminal.WATCHED, "1");
    env.put("NO_COLOR", "1");
    gateway
        .on("GET /v1/jobs/1/events", events(ended("done", "{}")))
        .on("GET /v1/jobs/1", json(200, "{\"status\":\"done\",\"result\":null}"));

    assertThat(run("job", "follow", "1")).isZero();

    assertThat(out()).contains("\r\u001b[K[############------------]  50 % half\r\u001b[K");
  }

  @Test
  void failsWhenTheJobFails() {
    gateway
        .on("GET /v1/jobs/1/events", events(ended("error", "{\"code\":\"X\",\"message\":\"no\"}")))
        .on(
            "GET /v1/jobs/1",
            json(200, "{\"status\":\"error\",\"error\":{\"code\":\"X\",\"message\":\"no\"}}"));

    assertThat(run("job", "follow", "1")).isEqualTo(ExitCode.FAILED);
    assertThat(err()).isEqualTo("tidemill: the job failed: no (X)\n");
  }

  @Test
  void printsOneEventALineForScripts() {
    gateway.on("GET /v1/jobs/1/events", events(ended("canceled", "{}")));

    assertThat(run("job", "follow", "1", "--json")).isEqualTo(ExitCode.FAILED);
    assertThat(out().lines().map(Json::parse)).hasSize(7);
  }

  @Test
  void asksForTheRecordWhenThereIsNothingMoreToFollow() {
    gateway
        .on("GET /v1/jobs/1/events", noContent())
        .on("GET /v1/jobs/1", json(200, "{\"status\":\"canceled\"}"));

    assertThat(run("job", "follow", "1")).isEqualTo(ExitCode.FAILED);
    assertThat(err()).contains("the job was canceled");
  }

  @Test
  void showsAndCancelsJobs() {
    gateway
        .on("GET /v1/jobs/1", json(200, "{\"job_id\":\"1\"}"))
        .on("POST /v1/jobs/1/cancel", json(200, "{\"was\":\"queued\"}"));

    assertThat(run("job", "show", "1")).isZero();
    assertThat(run("job", "cancel", "1", "--reason", "late")).isZero();

    assertThat(out()).contains("\"job_id\" : \"1\"", "canceled, was queued");
    assertThat(gateway.seen().getLast().body()).isEqualTo("{\"reason\":\"late\"}");
  }

  @Test
  void saysThatAJobHasEndedBeforeItCouldBeCanceled() { // compat.originals
    gateway.on(
        "POST /v1/jobs/1/cancel",
        json(200, "{\"job_id\":\"1\",\"status\":\"done\",\"updated\":false}"));

    assertThat(run("job", "cancel", "1")).isEqualTo(ExitCode.FAILED);
    assertThat(err()).isEqualTo("tidemill: the job has already ended as done\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"detail\":{\"code\":\"not_found\",\"message\":\"why\",\"details\":{}}}",
        "{\"detail\":[{\"type\":\"value_error\",\"loc\":[\"body\"],\"msg\":\"why\"}]}",
        "{\"error\":\"Validation failed\",\"details\":[{\"field\":\"a\",\"message\":\"why\"}]}",
        "{\"error\":\"why\",\"workflowId\":\"1\"}"
      })
  void tellsARefusalInTheFormOfTheOriginalGateways(String body) { // compat.originals
    gateway.on("GET /v1/jobs/1", json(404, body));

    assertThat(run("job", "show", "1")).isEqualTo(ExitCode.FAILED);
    assertThat(err()).isEqualTo("tidemill: why\n");
  }

  @Test
  void tellsTheGatewaysProblemAndCodeOne() {
    gateway.on("GET /v1/jobs/1", problem(404, "there is no such job"));

    assertThat(run("job", "show", "1")).isEqualTo(ExitCode.FAILED);
    assertThat(err()).isEqualTo("tidemill: there is no such job\n");
  }

  @Test
  void saysHowToGiveAKey() {
    gateway.on("GET /v1/jobs/1", problem(401, "this needs an API key"));

    run("job", "show", "1");

    assertThat(err()).contains("give it with --key or TIDEMILL_API_KEY");
  }

  @Test
  void tellsThatNoGatewayIsThereWithCodeThree() {
    gateway.close();

    assertThat(run("status")).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(err()).startsWith("tidemill: no gateway at http://127.0.0.1:").hasLineCount(1);
  }

  @Test
  void showsHowThingsStand() {
    gateway
        .on(
            "GET /health/ready",
            json(
                200,
                "{\"status\":\"up\",\"checks\":{\"redis\":{\"status\":\"up\",\"detail\":\"7\"}}}"))
        .on(
            "GET /api/status",
            json(
                200,
                "{\"version\":\"0.1.0\",\"roles\":[\"gateway\",\"worker\"],"
                    + "\"jobs\":{\"waiting\":2,\"running\":1},\"redis\":{\"memory_share\":0.25}}"));

    assertThat(run("status")).isZero();

    assertThat(out())
        .isEqualTo(
            """
            gateway    %s  up
            version    0.1.0
            roles      gateway, worker
            jobs       waiting 2   running 1
            memory     redis 25 %%
            redis      up  7
            """
                .formatted(gateway.url()));
  }

  @Test
  void showsTheVerdictWhoIsThereAndWhyThingsWait() {
    gateway
        .on("GET /health/ready", json(200, "{\"status\":\"up\",\"checks\":{}}"))
        .on("GET /api/status", json(200, "{\"version\":\"0.1.0\",\"jobs\":{\"waiting\":3}}"))
        .on(
            "GET /api/overview",
            json(
                200,
                """
                {"at":1000000,"verdict":{"level":"down","text":"3 jobs wait: nobody works."},
                 "roles":[
                  {"name":"gateway","processes":[{"id":"a","host":"box","pid":42,
                    "roles":["gateway","crawler"],"startedAt":940000,"seenAt":999000,"gone":false,
                    "checks":{"kafka":{"status":"up","detail":""},
                              "crawler":{"status":"starting","detail":"not yet"}}}]},
                  {"name":"crawler","processes":[{"id":"a","host":"box","pid":42}]},
                  {"name":"worker","processes":[{"id":"b","host":"far","pid":7,"roles":["worker"],
                    "startedAt":1,"seenAt":980000,"gone":true,"checks":{}}]}],
                 "contracts":[
                  {"channel":"tasks","depth":0,"oldestMs":null,"why":[]},
                  {"channel":"jobs:stream","depth":3,"oldestMs":61000,
                   "why":[{"code":"NO_CONSUMER","text":"3 jobs wait: nobody works."}]},
                  {"channel":"crawler_queue","depth":null,"oldestMs":null,
                   "why":[{"code":"SERVER_DOWN","text":"The AMQP broker does not answer."}]}],
                 "servers":[{"name":"kafka","status":"up","detail":""},
                  {"name":"amqp","status":"down","detail":"refused"},
                  {"name":"smtp","status":"off","detail":""}]}
                """));

    assertThat(run("status")).isEqualTo(ExitCode.FAILED);

    assertThat(out())
        .isEqualTo(
            """
            gateway    %s  up
            version    0.1.0
            verdict    3 jobs wait: nobody works.
            process    box:42  gateway, crawler  for 1:00
                       crawler starting  not yet
            process    far:7  worker  silent for 20.0 s
            waiting    jobs:stream  3, the oldest for 1:01
                       3 jobs wait: nobody works.
            waiting    crawler_queue  unknown
                       The AMQP broker does not answer.
            servers    kafka up   amqp down   smtp off
                       amqp: refused
            jobs       waiting 3
            """
                .formatted(gateway.url()));
  }

  @Test
  void showsCrawlsQueuesAndTheIndexWhenTheGatewayKnowsThem() {
    gateway
        .on("GET /health/ready", json(200, "{\"status\":\"up\",\"checks\":{}}"))
        .on(
            "GET /api/status",
            json(
                200,
                "{\"crawls\":{\"unpublished\":1,\"waiting\":2},\"queues\":{\"crawler_queue\":7},"
                    + "\"index\":{\"documents\":12345,\"bytes\":67890123}}"));

    assertThat(run("status")).isZero();

    assertThat(out().lines())
        .contains(
            "crawls     unpublished 1   waiting 2",
            "queues     crawler_queue 7",
            "index      documents 12,345   67.9 MB");
  }

  @Test
  void saysWhereTheIndexIsWhenTheGatewayDoesNotSeeIt() {
    gateway
        .on("GET /health/ready", json(200, "{\"status\":\"up\",\"checks\":{}}"))
        .on(
            "GET /api/status",
            json(200, "{\"index\":{\"problem\":\"the search index is not here: it is there\"}}"));

    run("status");

    assertThat(out().lines()).contains("index      the search index is not here: it is there");
  }

  @Test
  void showsTopicsAndTheLagOfTheirReaders() {
    gateway
        .on("GET /health/ready", json(200, "{\"status\":\"up\",\"checks\":{}}"))
        .on(
            "GET /api/status",
            json(
                200,
                "{\"topics\":{\"tasks\":{\"messages\":1200,\"bytes\":67890123},"
                    + "\"tasks.dead\":{\"messages\":0,\"bytes\":0}},"
                    + "\"groups\":{\"workflow-processors\":7}}"));

    assertThat(run("status")).isZero();

    assertThat(out().lines())
        .contains("topics     tasks 1,200 (67.9 MB)", "lag        workflow-processors 7");
  }

  @Test
  void failsWhenTheGatewayIsNotReady() {
    gateway
        .on("GET /health/ready", json(503, "{\"status\":\"down\",\"checks\":{}}"))
        .on("GET /api/status", problem(503, "redis is away"));

    assertThat(run("status", "--json")).isEqualTo(ExitCode.FAILED);
    assertThat(Json.parse(out()).path("health").path("status").asString()).isEqualTo("down");
  }

  @Test
  void redrivesWhatIsDeadNowAndStopsThere() {
    gateway
        .on(
            "GET /api/dead?limit=1000",
            json(200, "{\"dead\":[{\"id\":\"2-0\"},{\"id\":\"1-0\"}],\"total\":2}"),
            json(200, "{\"dead\":[{\"id\":\"3-0\"}],\"total\":1}"))
        .on("POST /api/dead/2-0/redrive", json(202, "{\"job_id\":\"a\"}"))
        .on("POST /api/dead/1-0/redrive", problem(422, "this entry is no job"));

    assertThat(run("dead", "redrive", "--all")).isEqualTo(ExitCode.FAILED);

    assertThat(out()).isEqualTo("2-0 -> job a\n1 redriven, 1 could not be\n");
    assertThat(err()).isEqualTo("tidemill: 1-0: this entry is no job\n");
    assertThat(gateway.seen("/api/dead/3-0/redrive")).isEmpty();
  }

  @Test
  void showsWhoChangedWhat() {
    gateway.on(
        "GET /api/audit?who=bob&limit=2",
        json(
            200,
            """
            {"audit":[
              {"id":"2-0","at":1767488967123,"who":"bob","role":"operator","address":"127.0.0.1",
               "method":"DELETE","route":"/api/crawls/{id}","path":"/api/crawls/c-1","status":200,
               "detail":"","trace":"t"},
              {"id":"1-0","at":1767488966123,"who":"anonymous","role":null,"address":"::1",
               "method":"POST","route":"/api/session","path":"/api/session","status":401,
               "detail":"this API key\\nis not known","trace":"t"}],
             "next":"1-0"}\
            """));

    assertThat(run("audit", "--limit", "2", "--who", "bob")).isZero();

    assertThat(out())
        .isEqualTo(
            """
            2026-01-04T01:09:27Z  bob (operator)           127.0.0.1       200  DELETE /api/crawls/c-1
            2026-01-04T01:09:26Z  anonymous                ::1             401  POST /api/session  this API key is not known
            """);
    assertThat(err()).isEqualTo("more with --before 1-0\n");
  }

  @Test
  void redrivesDeadRecordsPageByPageButNotTwice() {
    var first = "{\"dead\":[{\"id\":\"tasks:0-3\"},{\"id\":\"tasks:0-2\",\"redriven_at\":1}],";
    gateway
        .on(
            "GET /api/dead?source=tasks&limit=1000",
            json(200, first + "\"total\":3,\"next\":\"~1\"}"))
        .on(
            "GET /api/dead?source=tasks&limit=1000&before=%7E1",
            json(200, "{\"dead\":[{\"id\":\"task-1\"}],\"total\":3}"))
        .on(
            "POST /api/dead/tasks%3A0-3/redrive",
            json(202, "{\"topic\":\"tasks\",\"partition\":2,\"offset\":7}"))
        .on("POST /api/dead/task-1/redrive", json(202, "{\"taskId\":\"task-1\"}"));

    assertThat(run("dead", "redrive", "--all", "--source", "tasks")).isZero();

    assertThat(out())
        .isEqualTo("task-1 -> task task-1\ntasks:0-3 -> tasks-2@7\n2 redriven, 0 could not be\n");
  }

  @Test
  void redrivesWhatShowsBehindTheFirstOnesToo() {
    var moved = json(202, "{\"queue\":\"crawler_queue\"}");
    gateway
        .on(
            "GET /api/dead?source=crawler_queue&limit=1000",
            json(
                200,
                "{\"dead\":[{\"id\":\"crawler_queue:b\"},{\"id\":\"crawler_queue:a\"}],\"total\":3}"),
            json(
                200,
                "{\"dead\":[{\"id\":\"crawler_queue:c\"},{\"id\":\"crawler_queue:b\"}],\"total\":2}"))
        .on("POST /api/dead/crawler_queue%3Aa/redrive", moved)
        .on("POST /api/dead/crawler_queue%3Ab/redrive", problem(409, "there is no queue"))
        .on("POST /api/dead/crawler_queue%3Ac/redrive", moved);

    assertThat(run("dead", "redrive", "--all", "--source", "crawler_queue"))
        .isEqualTo(ExitCode.FAILED);

    assertThat(out())
        .isEqualTo(
            """
            crawler_queue:a -> queue crawler_queue
            crawler_queue:c -> queue crawler_queue
            2 redriven, 1 could not be
            """);
  }

  @Test
  void tellsOfTheDeadThatWereNotAskedFor() {
    gateway
        .on(
            "GET /api/dead?limit=50",
            json(200, "{\"dead\":[],\"total\":0,\"others\":{\"tasks\":7,\"workflows\":3}}"),
            json(200, "{\"dead\":[],\"total\":0,\"others\":{}}"))
        .on(
            "GET /api/dead?limit=1000",
            json(200, "{\"dead\":[],\"total\":0,\"others\":{\"tasks\":7}}"));

    assertThat(run("dead", "list")).isZero();
    assertThat(run("dead", "list")).isZero();
    assertThat(run("dead", "redrive", "--all")).isZero();

    assertThat(out()).isEqualTo("no dead jobs\nnothing is dead\n0 redriven, 0 could not be\n");
    assertThat(err())
        .isEqualTo(
            """
            also dead: 7 in tasks, 3 in workflows; see --source
            also dead: 7 in tasks; see --source
            """);
  }

  @Test
  void letsTheGatewayRedriveManyAndWatches() {
    var run =
        "{\"id\":\"rd-1\",\"state\":\"%s\",\"total\":3,\"redriven\":%d,\"failed\":%d,\"skipped\":0}";
    gateway
        .on(
            "POST /api/dead/redrives",
            json(
                200,
                "{\"count\":3,\"ids\":[\"a\",\"b\"],\"refused\":[{\"id\":\"c\",\"why\":\"no job\"}]}"),
            json(202, "{\"id\":\"rd-1\",\"count\":3}"))
        .on(
            "GET /api/dead/redrives/rd-1/events",
            events(
                "event: progress\ndata: "
                    + run.formatted("running", 1, 0)
                    + "\n\nevent: done\ndata: "
                    + run.formatted("done", 2, 1)
                    + "\n\n"))
        .on(
            "GET /api/dead/redrives/rd-1?limit=1000",
            json(
                200,
                run.formatted("done", 2, 1).replace("}", "")
                    + ",\"results\":[{\"id\":\"b\",\"status\":\"failed\",\"detail\":\"no queue\"}]}"));

    assertThat(run("dead", "redrive", "--source", "all", "--query", "lost", "--dry-run")).isZero();
    assertThat(run("dead", "redrive", "--cause", "0123456789abcdef", "--rate", "9", "--follow"))
        .isEqualTo(ExitCode.FAILED);

    assertThat(out()).isEqualTo("a\nb\ndone: 2 redriven, 0 skipped, 1 failed of 3\n");
    assertThat(err())
        .isEqualTo("tidemill: c: no job\n3 would be redriven\ntidemill: b: no queue\n");
    assertThat(gateway.seen("/api/dead/redrives").getLast().body())
        .contains("\"cause\":\"0123456789abcdef\"", "\"ratePerSecond\":9", "\"dryRun\":false");
  }

  @Test
  void throwsAwayWhatItIsToldToAndNoMore() {
    gateway
        .on("POST /api/dead/1-0/discard", json(200, "{\"discarded\":\"1-0\"}"))
        .on("POST /api/dead/2-0/discard", problem(404, "there is no such dead letter"))
        .on(
            "POST /api/dead/redrives",
            json(200, "{\"count\":3,\"ids\":[],\"refused\":[]}"),
            json(202, "{\"id\":\"rd-1\",\"count\":3}"));

    assertThat(run("dead", "discard", "1-0", "2-0")).isEqualTo(ExitCode.FAILED);
    assertThat(run("dead", "discard", "--cause", "0123456789abcdef")).isEqualTo(ExitCode.USAGE);
    var asked = gateway.seen("/api/dead/redrives").getLast().body();
    assertThat(run("dead", "discard", "--cause", "0123456789abcdef", "--yes")).isZero();

    assertThat(out()).isEqualTo("1-0 is discarded\nrd-1\n");
    assertThat(err())
        .isEqualTo(
            """
            tidemill: 2-0: there is no such dead letter
            tidemill: 3 would be discarded for good: --yes does it, --dry-run says which
            3 are discarded; watch: tidemill dead follow rd-1
            """);
    assertThat(asked).contains("\"action\":\"discard\"", "\"dryRun\":true");
    assertThat(gateway.seen("/api/dead/redrives").getLast().body())
        .contains("\"action\":\"discard\"", "\"source\":\"all\"", "\"dryRun\":false");
  }

  @Test
  void groupsTheDeadAndMendsThem() throws Exception {
    var file = Files.writeString(folder.resolve("mended.json"), "{}");
    gateway
        .on(
            "GET /api/dead/causes?q=lost",
            json(
                200,
                "{\"causes\":[{\"cause\":\"0123456789abcdef\",\"count\":12,\"source\":\"jobs\",\"reason\":\"ERROR\",\"text\":\"worker <number>\"}],\"down\":[\"tasks\"]}"))
        .on(
            "POST /api/dead/1-0/redrive",
            json(
                422,
                "{\"detail\":\"x\",\"violations\":[{\"path\":\"/task\",\"message\":\"is missing\"}]}"),
            json(202, "{\"job_id\":\"j\"}"));

    assertThat(run("dead", "causes", "--query", "lost")).isZero();
    assertThat(run("dead", "edit", "1-0", "--value", file.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(run("dead", "edit", "1-0", "--value", file.toString())).isZero();

    assertThat(out()).isEqualTo("0123456789abcdef 12 jobs ERROR: worker <number>\n1-0 -> job j\n");
    assertThat(err()).isEqualTo("no answer from tasks\ntidemill: /task: is missing\n");
  }

  @Test
  void saysWhichOptionRedrivesOnceMore() {
    gateway.on(
        "POST /api/dead/tasks%3A0-3/redrive",
        json(409, "{\"detail\":\"again=true does it once more\",\"redriven_at\":1000}"));

    assertThat(run("dead", "redrive", "tasks:0-3")).isEqualTo(ExitCode.FAILED);

    assertThat(err())
        .isEqualTo(
            "tidemill: tasks:0-3: it was redriven at 1970-01-01T00:00:01Z; --again does it once"
                + " more\n");
  }

  @Test
  void listsDeadRecords() {
    var dead =
        "{\"id\":\"workflows:0-1\",\"ts\":0,\"reason\":\"MALFORMED\",\"message\":\"no event\",\"redriven_at\":5}";
    gateway.on(
        "GET /api/dead?source=workflows&limit=1",
        json(200, "{\"dead\":[" + dead + "],\"total\":2,\"next\":\"0-1\"}"));

    assertThat(run("dead", "list", "--source", "workflows", "--limit", "1")).isZero();

    assertThat(out()).contains("workflows:0-1", "no event  (redriven)");
    assertThat(err()).contains("1 more; see them with --before 0-1");
  }

  @Test
  void listsAndShowsTheDead() {
    var dead = "{\"id\":\"1-0\",\"ts\":0,\"reason\":\"MALFORMED\",\"message\":\"no job_id\"}";
    gateway
        .on("GET /api/dead?limit=50", json(200, "{\"dead\":[" + dead + "],\"total\":3}"))
        .on("GET /api/dead/1-0", json(200, dead));

    assertThat(run("dead", "list")).isZero();
    assertThat(run("dead", "show", "1-0", "--json")).isZero();

    assertThat(out())
        .contains("1-0                  1970-01-01T00:00:00Z  MALFORMED        no job_id", dead);
    assertThat(err()).contains("2 more");
  }

  @Test
  void exportsTheAddressesOfARunningInstance() throws IOException {
    addresses(ProcessHandle.current().pid(), "http://127.0.0.1:8080");

    assertThat(run("env", "--data", folder.toString())).isZero();

    assertThat(out())
        .isEqualTo(
            """
            export TIDEMILL_HTTP_URL='http://127.0.0.1:8080'
            export TIDEMILL_REDIS_URL='redis://:it'\\''s@127.0.0.1:6379'
            """);
  }

  @Test
  void exportsWhatFurtherProcessesNeed() throws IOException {
    Files.writeString(
        folder.resolve("addresses.json"),
        """
        {"pid": %d, "http": "http://127.0.0.1:8080", "redis": "redis://127.0.0.1:6379",
         "environment": {"TIDEMILL_REDIS_URL": "redis://127.0.0.1:6379",
                         "TIDEMILL_ANALYTICS_URL": "/data/analytics.duckdb"},
         "note": "one process may open it"}
        """
            .formatted(ProcessHandle.current().pid()));

    assertThat(run("env", "--data", folder.toString())).isZero();

    assertThat(out())
        .isEqualTo(
            """
            export TIDEMILL_HTTP_URL='http://127.0.0.1:8080'
            export TIDEMILL_REDIS_URL='redis://127.0.0.1:6379'
            export TIDEMILL_ANALYTICS_URL='/data/analytics.duckdb'
            # one process may open it
            """);
  }

  @Test
  void exportsWhatAShellReadsBackUnchanged() throws IOException, InterruptedException {
    var value = "a b'c\"$HOME`x`\\n;&|*?~#!\t'";

    var shell =
        new ProcessBuilder("sh", "-c", "printf %s " + ShellText.quoted(value))
            .redirectErrorStream(true)
            .start();

    assertThat(new String(shell.getInputStream().readAllBytes(), UTF_8)).isEqualTo(value);
    assertThat(shell.waitFor()).isZero();
  }

  @Test
  void exportsNothingOfAnInstanceThatIsGone() throws IOException {
    addresses(Long.MAX_VALUE, "http://127.0.0.1:1");

    assertThat(run("env", "-s", "data.dir=" + folder)).isEqualTo(ExitCode.UNREACHABLE);

    assertThat(out()).isEmpty();
    assertThat(err()).contains("no instance runs on the data folder");
  }

  @Test
  void findsTheGatewayOfTheDataFolder() throws IOException {
    env.clear();
    env.put("TIDEMILL_DATA_DIR", folder.toString());
    addresses(ProcessHandle.current().pid(), gateway.url());
    gateway.on("GET /v1/jobs/1", json(200, "{\"job_id\":\"1\"}"));

    assertThat(run("job", "show", "1")).isZero();
  }

  @Test
  void findsTheGatewayThatTheSettingsFileNames() throws IOException {
    env.clear();
    var file =
        Files.writeString(
            folder.resolve("t.conf"), "http { url = \"" + gateway.url() + "/\" }\nother.key = 1\n");
    gateway.on("GET /v1/jobs/1", json(200, "{\"job_id\":\"1\"}"));

    assertThat(run("job", "show", "1", "-c", file.toString())).isZero();
  }

  @Test
  void completesInBash() throws IOException, InterruptedException {
    assertThat(run("completion")).isZero();

    var bash = new ProcessBuilder("bash", "-n").start();
    try (var script = bash.getOutputStream()) {
      script.write(out.toByteArray());
    }
    assertThat(bash.waitFor()).isZero();
    assertThat(out()).contains("tidemill", "redrive");
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "--version", "-V"})
  void tellsItsVersion(String argument) {
    assertThat(run(argument)).isZero();

    assertThat(out()).startsWith("tidemill ").contains("Java").hasLineCount(1);
  }

  @Test
  void coloursOnlyForAPersonWhoWantsThem() {
    env.put(Terminal.WATCHED, "1");
    run();
    assertThat(out()).contains("\u001b[");

    out.reset();
    env.put("NO_COLOR", "1");
    run();
    assertThat(out()).doesNotContain("\u001b[");
  }

  @Test
  void tellsThatAJobGoesOnAfterCtrlC() {
    assertThat(JobCommands.JOB.advice(JOB))
        .contains("tidemill job follow " + JOB, "tidemill job cancel " + JOB);
  }

  private static String ended(String type, String data) {
    return event("queued", "gateway.enqueue", "{}")
        + event("running", "worker.start", "{\"attempt\":1}")
        + event("progress", "worker.tool", "{\"fraction\":0.5,\"message\":\"half\"}")
        + event("log", "worker.tool", "{\"message\":\"hello\\u001b[31m\"}")
        + event("token", "worker.tool", "{\"text\":\"two \"}")
        + event("token", "worker.tool", "{\"text\":\"tokens\"}")
        + event(type, "worker." + type, data);
  }

  private static String event(String type, String step, String data) {
    return "event: %s\ndata: {\"id\":\"1-0\",\"type\":\"%s\",\"ts\":1,\"step\":\"%s\",\"data\":%s}\n\n"
        .formatted(type, type, step, data);
  }

  private void addresses(long pid, String http) throws IOException {
    Files.writeString(
        folder.resolve("addresses.json"),
        "{\"pid\":%d,\"http\":\"%s\",\"redis\":\"redis://:it's@127.0.0.1:6379\"}"
            .formatted(pid, http));
  }

  private int run(String... arguments) {
    return Cli.run(
        arguments,
        launcher,
        env,
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8),
        new ByteArrayInputStream(in.getBytes(UTF_8)));
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
