package io.tidemill.processor.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.content.language.LanguageDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepRegistryTest {
  @TempDir private Path plugins;

  /// A step that a plugin brings.
  public static final class Plugin implements Step {
    @Override
    public String name() {
      return "analyze";
    }

    @Override
    public StepOutcome run(StepCall call) {
      throw new AssertionError("not called");
    }
  }

  private void jar(String provider) throws IOException {
    var file = plugins.resolve("plugin.jar");
    try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + Step.class.getName()));
      jar.write(provider.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  @Test
  void aPluginWinsOverOurOwn() throws IOException { // C2.8
    jar(Plugin.class.getName());

    var steps = StepRegistry.find(plugins, List.of(new AnalyzeStep(new LanguageDetector())));

    assertThat(steps.named("analyze")).containsInstanceOf(Plugin.class);
    assertThat(steps.named("step1")).isEmpty();
    assertThat(steps.names()).containsExactly("analyze");
  }

  @Test
  void namesThePluginThatCantBeUsed() throws IOException {
    jar("no.such.Step");

    assertThatThrownBy(() -> StepRegistry.find(plugins, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no.such.Step");
  }

  @Test
  void worksWithoutAPluginsFolder() {
    assertThat(StepRegistry.find(plugins.resolve("none"), List.of()).names()).isEmpty();
  }
}
