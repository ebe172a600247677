package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.awaitStatus;
import static io.tidemill.app.Product.get;
import static io.tidemill.app.Product.submit;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A user's own handler, compiled against the product and dropped into `data/plugins`.
class PluginIT {
  private static final String HANDLER =
      """
      package example;

      import io.tidemill.api.JobCall;
      import io.tidemill.api.JobHandler;
      import tools.jackson.databind.JsonNode;

      public final class Shout implements JobHandler {
        @Override public String task() { return "plan"; }
        @Override public JsonNode handle(JobCall job) {
          job.log("shouting");
          return ((tools.jackson.databind.node.ObjectNode) job.payload())
              .put("said", job.payload().get("say").stringValue().toUpperCase());
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void aJarInThePluginsFolderHandlesItsTask() throws IOException {
    var data = folder.resolve("data");
    Files.createDirectories(data.resolve("plugins"));
    makeJar(data.resolve("plugins/shout.jar"));
    try (var _ = Product.up(data)) {
      var job =
          submit(address(data, "http"), "{\"task\":\"plan\",\"payload\":{\"say\":\"hello\"}}");

      awaitStatus(job, "done");
      assertThat(get(job).body()).contains("\"said\":\"HELLO\"");
      assertThat(get(job + "/events").body()).contains("event: log", "shouting");
    }
  }

  private void makeJar(Path jar) throws IOException {
    var source = folder.resolve("Shout.java");
    Files.writeString(source, HANDLER);
    var compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", jars(), "-d", folder.toString(), source.toString());
    assertThat(compiled).isZero();
    try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
      add(out, "example/Shout.class", Files.readAllBytes(folder.resolve("example/Shout.class")));
      add(
          out,
          "META-INF/services/io.tidemill.api.JobHandler",
          "example.Shout\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String jars() throws IOException {
    try (var jars = Files.list(Path.of("target/tidemill/lib"))) {
      return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static void add(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(content);
    out.closeEntry();
  }
}
