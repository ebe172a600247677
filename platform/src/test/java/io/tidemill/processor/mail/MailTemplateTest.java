package io.tidemill.processor.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.json.Json;
import io.tidemill.processor.mail.MailTemplate.Form;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MailTemplateTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Hello {{name}};{\"name\":\"Ann\"};Hello Ann",
        "Hello {{name|you}};{};Hello you",
        "Hello {{name|you}};{\"name\":\"\"};Hello you",
        "Hello {{name|you}};{\"name\":null};Hello you",
        "{{ n }} and {{d}};{\"n\":12345678901234567890,\"d\":1.50};12345678901234567890 and 1.50",
        "{{a.b}};{\"a\":{\"b\":true}};true",
        "{{#list}}<{{.}}>{{/list}};{\"list\":[1,\"b\"]};<1><b>",
        "{{#list}}{{k}}={{all}},{{/list}};{\"all\":0,\"list\":[{\"k\":1},{\"k\":2}]};1=0,2=0,",
        "{{#x}}yes{{/x}}{{^x}}no{{/x}};{\"x\":false};no",
        "{{#x}}yes{{/x}}{{^x}}no{{/x}};{\"x\":[]};no",
        "{{#x}}yes{{/x}}{{^x}}no{{/x}};{\"x\":\"v\"};yes",
        "{{x}};{\"x\":{\"y\":[1]}};{\"y\":[1]}",
        "{{x}};{\"x\":\"{{y}} $1 \\\\.\"};{{y}} $1 \\.",
      })
  void fillsItsPlaces(String template, String variables, String expected)
      throws InterruptedException {
    assertThat(MailTemplate.parse(template, Form.TEXT).render(Json.parse(variables)))
        .isEqualTo(expected);
  }

  @Test
  void aMissingVariableIsNamed() {
    assertThatThrownBy(() -> MailTemplate.parse("{{who}}", Form.TEXT).render(Json.object()))
        .hasMessageContaining("'who'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{",
        "{{}}",
        "{{a b}}",
        "{{#a}}",
        "{{/a}}",
        "{{#a}}{{/b}}",
        "{{a",
        "{{#a}}{{#b}}{{/a}}{{/b}}"
      })
  void saysWhereATemplateIsWrong(String wrong) {
    assertThatThrownBy(() -> MailTemplate.parse("x\n" + wrong, Form.TEXT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("line ");
  }

  @Test
  void sectionsInSectionsEnd() {
    var deep = "{{#a}}".repeat(10_000);

    assertThatThrownBy(() -> MailTemplate.parse(deep, Form.TEXT)).hasMessageContaining("deep");
  }

  @Test
  void growsNoFurtherThanALimit() {
    var items = Json.object();
    var list = items.putArray("a");
    for (int i = 0; i < 1_000; i++) list.add(i);
    var template = MailTemplate.parse("{{#a}}{{#a}}{{#a}}xxxxxxxx{{/a}}{{/a}}{{/a}}", Form.TEXT);

    assertThatThrownBy(() -> template.render(items)).hasMessageContaining("too long");
  }

  @Test
  void listsInListsEndEvenWhenNothingIsWritten() { // F50
    var items = Json.object();
    var list = items.putArray("a");
    for (int i = 0; i < 100; i++) list.add(i);
    var template = MailTemplate.parse("{{#a}}".repeat(8) + "{{/a}}".repeat(8), Form.TEXT);

    assertThatThrownBy(() -> template.render(items)).hasMessage("its sections go on too long");
  }

  @Test
  void canBeInterrupted() {
    var template = MailTemplate.parse("{{a}}", Form.TEXT);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> template.render(Json.object().put("a", 1)))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void valuesAreTextInHtmlAndThemselvesInText() throws InterruptedException {
    var variables = Json.object().put("v", "<b a='1' b=\"2\">&\0</b>");

    assertThat(MailTemplate.parse("{{v}}", Form.HTML).render(variables))
        .isEqualTo("&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;&lt;/b&gt;");
    assertThat(MailTemplate.parse("{{v}}", Form.TEXT).render(variables))
        .isEqualTo("<b a='1' b=\"2\">&\0</b>");
  }

  @Test
  void linksLeadToTheWebOrToMailOnly() throws InterruptedException {
    for (var bad :
        List.of(
            "javascript:alert(1)",
            " data:text/html,x",
            "https://a b",
            "//x",
            "JAVASCRIPT:x",
            "https://" + "x".repeat(4_000))) {
      assertThat(MailTemplate.parse("{{v:url}}", Form.HTML).render(Json.object().put("v", bad)))
          .isEqualTo("#");
    }
    assertThat(
            MailTemplate.parse("{{v:url}}", Form.HTML)
                .render(Json.object().put("v", "https://x.example/?a=1&b=2")))
        .isEqualTo("https://x.example/?a=1&amp;b=2");
  }
}
