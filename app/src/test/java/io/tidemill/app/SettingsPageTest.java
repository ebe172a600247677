package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.config.SettingsPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingsPageTest {
  @Test
  void theSettingsPageIsWhatTheRecordsSay() throws IOException {
    var page = SettingsPage.markdown(SettingSections.ALL);
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target/settings.md"), page);

    assertThat(Path.of("../docs/settings.md"))
        .as("docs/settings.md; the true page is in app/target/settings.md: copy it")
        .hasContent(page);
  }
}
