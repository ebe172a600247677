package io.tidemill.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.http.PathFuzz;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// Every decoder under Jazzer, for a moment: `-Dtidemill.fuzz.seconds=600` for longer.
class FuzzIT {
  private static final int SECONDS = Integer.getInteger("tidemill.fuzz.seconds", 2);
  private static final Pattern DONE = Pattern.compile("Done (\\d+) runs in");

  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(
      classes = {
        SubmissionFuzz.class,
        EntryFuzz.class,
        RecordFuzz.class,
        TraceParentFuzz.class,
        SettingsFuzz.class,
        PathFuzz.class,
        SseFuzz.class
      })
  void noInputBreaksADecoder(Class<?> target) throws Exception { // G3, F49
    var log = dir.resolve("log");
    var process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:-OmitStackTraceInFastThrow",
                    "-XX:+EnableDynamicAgentLoading",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "com.code_intelligence.jazzer.Jazzer",
                    "--target_class=" + target.getName(),
                    "--instrumentation_includes=io.tidemill.**",
                    "--disabled_hooks=.*",
                    "--reproducer_path=" + dir,
                    "-artifact_prefix=" + dir + "/",
                    "-max_total_time=" + SECONDS,
                    "-runs=" + (SECONDS > 10 ? -1 : 20_000),
                    "-timeout=5",
                    "-seed=1"))
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();

    assertThat(process.waitFor(SECONDS + 60L, TimeUnit.SECONDS)).isTrue();

    var output = Files.readString(log, StandardCharsets.ISO_8859_1);
    assertThat(process.exitValue()).as(output).isZero();
    var done = DONE.matcher(output);
    assertThat(done.find()).as(output).isTrue();
    assertThat(Integer.parseInt(done.group(1))).as(output).isGreaterThan(500);
    LoggerFactory.getLogger(FuzzIT.class)
        .warn("{}: {} runs", target.getSimpleName(), done.group(1));
  }
}
