package io.tidemill.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs each target for a few seconds with Jazzer's own driver; longer with
/// `-Dtidemill.fuzz.seconds=600`.
class FuzzIT {
  private static final int SECONDS = Integer.getInteger("tidemill.fuzz.seconds", 2);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      classes = {
        SubmissionTarget.class,
        EntryTarget.class,
        RecordTarget.class,
        TraceParentTarget.class,
        SettingsTarget.class,
        EventStreamTarget.class,
        RequestTarget.class
      })
  void findsNoInputThatBreaksIt(Class<?> target) throws IOException, InterruptedException {
    var log = folder.resolve("fuzz.log");
    var fuzzer =
        new ProcessBuilder(command(target))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();

    assertThat(fuzzer.waitFor(SECONDS + 60L, TimeUnit.SECONDS)).isTrue();

    assertThat(Files.readString(log)).contains("DONE").doesNotContain("== Java Exception");
    assertThat(fuzzer.exitValue()).as(Files.readString(log)).isZero();
  }

  private List<String> command(Class<?> target) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx512m",
        "-XX:+EnableDynamicAgentLoading",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        "com.code_intelligence.jazzer.Jazzer",
        "--target_class=" + target.getName(),
        "--instrumentation_includes=io.tidemill.**",
        "--custom_hook_includes=io.tidemill.none",
        "--reproducer_path=" + folder,
        "-max_total_time=" + SECONDS,
        "-timeout=5",
        "-rss_limit_mb=2048",
        "-print_final_stats=1");
  }
}
