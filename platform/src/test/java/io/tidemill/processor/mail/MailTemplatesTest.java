package io.tidemill.processor.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class MailTemplatesTest {
  private static final List<String> BUILT_IN =
      List.of("welcome_email", "report_ready", "export_ready", "notice");
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"welcome_email", "report_ready", "export_ready", "notice"})
  void ourTemplatesNeedNoVariables(String name) throws Exception {
    var words = templates().render(name, Json.object());

    assertThat(words.subject()).isNotBlank();
    assertThat(words.text()).contains("Tidemill").doesNotContain("{{");
    assertThat(words.html()).startsWith("<!doctype html>").doesNotContain("{{");
  }

  @Test
  void hostileVariablesStayText() throws Exception { // F52
    for (var name : BUILT_IN) {
      var calm = shape(templates().render(name, variables("calm")).html());
      for (var line : Corpora.lines("hostile/xss-strings.jsonl").subList(0, 500)) {
        var hostile = line.path("payload").asString();

        assertThat(shape(templates().render(name, variables(hostile)).html()))
            .as("%s with %s", name, hostile)
            .isEqualTo(calm);
      }
    }
  }

  private static ObjectNode variables(String value) {
    var variables = Json.object();
    for (var field :
        List.of(
            "name",
            "title",
            "message",
            "link",
            "pdfLink",
            "linkText",
            "product",
            "footer",
            "period",
            "pages",
            "expires",
            "file",
            "format",
            "rows",
            "size")) {
      variables.put(field, value);
    }
    variables.putArray("details").addObject().put("label", value).put("value", value);
    variables.putArray("steps").add(value);
    return variables;
  }

  /// The elements and attributes of a page, without its words.
  private static String shape(String html) {
    var shape = new StringBuilder();
    for (var element : Jsoup.parse(html).getAllElements()) {
      shape.append(element.tagName());
      for (var attribute : element.attributes()) {
        shape.append(' ').append(attribute.getKey());
        if (attribute.getKey().equals("href")) {
          assertThat(attribute.getValue()).matches("#|https?://.*|mailto:.*");
        }
      }
      shape.append('\n');
    }
    return shape.toString();
  }

  @Test
  void aFolderAddsTemplatesAndReplacesOurs() throws Exception {
    Files.writeString(folder.resolve("notice.txt"), "Subject: Mine\n\nHello {{name}}\n");
    Files.writeString(folder.resolve("fancy.html"), "<p>Hi {{name}}</p>");

    var notice = templates().render("notice", Json.object().put("name", "<Ann>"));
    var fancy = templates().render("fancy", Json.object().put("name", "<Ann>"));

    assertThat(notice).isEqualTo(new MailTemplates.Words("Mine", "Hello <Ann>\n", ""));
    assertThat(fancy.html()).contains("<p>Hi &lt;Ann&gt;</p>").startsWith("<!doctype html>");
    assertThat(fancy.text()).contains("Hi <Ann>");
  }

  @Test
  void aWholePageIsLeftAsItIs() throws Exception {
    Files.writeString(folder.resolve("whole.html"), "<!DOCTYPE html><p>{{a}}</p>");

    assertThat(templates().render("whole", Json.object().put("a", "x")).html())
        .isEqualTo("<!DOCTYPE html><p>x</p>");
  }

  @Test
  void namesNeverLeaveTheFolder() throws IOException {
    Files.writeString(folder.resolve("secret.txt"), "secret");
    var inner = new MailTemplates(Files.createDirectory(folder.resolve("inner")));

    for (var name : List.of("../secret", "..", "", "a/b", "x\ny", "nope", "frame", "/etc/passwd")) {
      assertThatThrownBy(() -> inner.render(name, Json.object()))
          .isInstanceOfSatisfying(
              WorkFailure.class,
              failure -> {
                assertThat(failure.code()).isEqualTo("INVALID_DATA");
                assertThat(failure.isRetryable()).isFalse();
                assertThat(failure.getMessage()).doesNotContain("\n");
              });
    }
  }

  @Test
  void aMissingVariableIsNamed() throws IOException {
    Files.writeString(folder.resolve("mine.txt"), "Hello {{name}}");

    assertThatThrownBy(() -> templates().render("mine", Json.object()))
        .hasMessage("template mine: the variable 'name' is missing");
  }

  private MailTemplates templates() {
    return new MailTemplates(folder);
  }
}
