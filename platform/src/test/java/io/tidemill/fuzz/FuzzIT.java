package io.tidemill.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.gateway.mcp.McpTarget;
import io.tidemill.http.access.CookieTarget;
import io.tidemill.http.server.PathTarget;
import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// Every decoder under Jazzer, all for a moment; `-Dtidemill.fuzz.seconds=600` gives each its time.
class FuzzIT {
  private static final int SECONDS = Integer.getInteger("tidemill.fuzz.seconds", 0);
  private static final Pattern DONE = Pattern.compile("Done (\\d+) runs in");

  private record Run(int exit, String output) {}

  @TempDir private Path dir;

  @Test
  void noInputBreaksAnyDecoder() throws Exception { // G3, F49
    assertUnbroken(AllTargets.class, fuzz(AllTargets.class, "-runs=3000"), 2_999);
  }

  @Test
  void findsAFaultThatIsThere() throws Exception {
    var run = fuzz(PlantedTarget.class, "-runs=100000000");

    assertThat(run.exit()).isNotZero();
    assertThat(run.output()).contains("IllegalStateException: planted");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        SubmissionTarget.class,
        EntryTarget.class,
        PageTarget.class,
        RecordTarget.class,
        TraceParentTarget.class,
        SettingsTarget.class,
        PathTarget.class,
        EventStreamTarget.class,
        RequestTarget.class,
        WebUrlTarget.class,
        RobotsTarget.class,
        SitemapTarget.class,
        CharsetTarget.class,
        PageReaderTarget.class,
        PageTarget.class,
        QueryTarget.class,
        JsonRecordsTarget.class,
        ExpressionTarget.class,
        RulesTarget.class,
        ExecutionTarget.class,
        ExecutionEventTarget.class,
        McpTarget.class,
        CookieTarget.class
      })
  void noInputBreaksThisDecoder(Class<?> target) throws Exception { // G3, F49
    Assumptions.assumeTrue(SECONDS > 0, "tidemill.fuzz.seconds is not set");

    assertUnbroken(target, fuzz(target, "-max_total_time=" + SECONDS), 100);
  }

  private static void assertUnbroken(Class<?> target, Run run, int least) {
    assertThat(run.exit()).as(run.output()).isZero();
    var done = DONE.matcher(run.output());
    assertThat(done.find()).as(run.output()).isTrue();
    assertThat(Integer.parseInt(done.group(1))).as(run.output()).isGreaterThan(least);
    LoggerFactory.getLogger(FuzzIT.class)
        .warn("{}: {} runs", target.getSimpleName(), done.group(1));
  }

  /// @param limit a number of runs does not depend on the machine
  private Run fuzz(Class<?> target, String limit) throws IOException, InterruptedException {
    var log = dir.resolve("log");
    var process =
        new ProcessBuilder(
                ChildProcessGuard.guarded(
                    List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        // Short runs spend their time starting, long ones need the better compiler.
                        SECONDS > 0 ? "-XX:+TieredCompilation" : "-XX:TieredStopAtLevel=1",
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.getName(),
                        "--instrumentation_includes=io.tidemill.**",
                        // It takes any pattern that is not one for an injection; ours are never
                        // run.
                        "--disabled_hooks=.*:com.code_intelligence.jazzer.sanitizers.RegexInjection",
                        "--reproducer_path=" + dir,
                        "-artifact_prefix=" + dir + "/",
                        limit,
                        "-timeout=60",
                        "-seed=1",
                        Files.createDirectory(dir.resolve("found")).toString(),
                        Path.of("../contracts/src/test/resources/contract/job")
                            .toAbsolutePath()
                            .toString())))
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(SECONDS + 300L, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), Files.readString(log, StandardCharsets.ISO_8859_1));
  }
}
