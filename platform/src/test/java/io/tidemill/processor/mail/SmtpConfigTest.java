package io.tidemill.processor.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmtpConfigTest {
  @ParameterizedTest
  @CsvSource({
    "smtp://mail.example, 25, OFFERED",
    "smtp://mail.example:2525, 2525, OFFERED",
    "smtp://mail.example?tls=none, 25, NONE",
    "smtp://mail.example/?tls=starttls, 25, STARTTLS",
    "smtp://u:p@mail.example, 587, STARTTLS",
    "smtp://u:p@mail.example:587?tls=none, 587, NONE",
    "smtps://u:p@mail.example, 465, DIRECT",
  })
  void readsHowToReachTheServer(String url, int port, SmtpServer.Tls tls) {
    var server = SmtpServer.parse(url);

    assertThat(server.host()).isEqualTo("mail.example");
    assertThat(server.port()).isEqualTo(port);
    assertThat(server.tls()).isEqualTo(tls);
  }

  @Test
  void namesAndPasswordsMayHoldAnything() {
    var server = SmtpServer.parse("smtp://me%40example.org:p%3Aa%2F+ss@mail.example");

    assertThat(server.user()).isEqualTo("me@example.org");
    assertThat(server.password()).isEqualTo("p:a/+ss");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://u:hunter2@mail.example",
        "u:hunter2@mail.example",
        "smtp://u:hunter2@",
        "smtp://u:hunter2@mail.example?tls=maybe",
        "smtps://u:hunter2@mail.example?tls=none",
        "smtp://u:hunter2@mail.example/box",
        "smtp://u:hunter2 @mail.example",
      })
  void aComplaintNeverShowsThePassword(String url) {
    assertThatThrownBy(() -> load(Map.of("smtp.url", url)))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("smtp.url ")
        .hasStackTraceContaining("smtp.url")
        .satisfies(refused -> assertThat(stack(refused)).doesNotContain("hunter2"));
  }

  @Test
  void neitherSettingsNorLogsShowThePassword() {
    var settings = load(Map.of("smtp.url", "smtp://u:hunter2@mail.example"));
    var config = settings.section(SmtpConfig.class);

    assertThat(settings.entries().toString()).doesNotContain("hunter2");
    assertThat(config.toString()).doesNotContain("hunter2");
    assertThat(config.server().orElseThrow().toString()).isEqualTo("mail.example:587");
  }

  @Test
  void asksForASenderThatMailCanComeFrom() {
    assertThatThrownBy(() -> load(Map.of("smtp.from", "nobody")))
        .hasMessageStartingWith("smtp.from is 'nobody' (from -s): expected");
  }

  private static Settings load(Map<String, String> overrides) {
    return Settings.load(null, Map.of(), overrides, List.of(SmtpConfig.class));
  }

  private static String stack(Throwable thrown) {
    var all = new java.io.StringWriter();
    thrown.printStackTrace(new java.io.PrintWriter(all));
    return all.toString();
  }
}
