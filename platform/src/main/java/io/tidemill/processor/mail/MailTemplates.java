package io.tidemill.processor.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.Mailbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Mail templates by name: those in a folder, and the built-in `welcome_email`, `report_ready`,
/// `export_ready` and `notice`.
///
/// A template is `<name>.html`, `<name>.txt` or both. A text may begin with a line `Subject: …` and
/// an empty one. HTML that is not a whole page is put into the built-in frame.
///
/// @param folder need not exist
public record MailTemplates(Path folder) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
  private static final long LARGEST = 512 * 1024;
  private static final String SUBJECT = "Subject:";
  private static final String CONTENT = "<!-- content -->";

  /// The parts of a mail; missing ones are empty.
  record Words(String subject, String text, String html) {}

  /// @throws WorkFailure when there is no such template, or a variable that it needs is missing
  Words render(String name, JsonNode variables) throws WorkFailure, InterruptedException {
    if (!NAME.matcher(name).matches()) throw unknown(name);
    var text = source(name, ".txt");
    var html = source(name, ".html");
    if (text.isEmpty() && html.isEmpty()) throw unknown(name);
    try {
      return words(text.orElse(""), html.orElse(""), variables);
    } catch (IllegalArgumentException wrong) {
      throw WorkFailure.permanent(
          "INVALID_DATA", "template " + name + ": " + wrong.getMessage(), wrong);
    }
  }

  private static Words words(String text, String html, JsonNode variables)
      throws InterruptedException {
    var lines = text.split("\\R", 3);
    var hasSubject = lines[0].startsWith(SUBJECT);
    var subject = hasSubject ? text(lines[0].substring(SUBJECT.length()).strip(), variables) : "";
    var rest = hasSubject ? (lines.length < 3 ? "" : lines[2]) : text;
    var page = html.isEmpty() ? "" : framed(html, variables);
    var plain = rest.isEmpty() && !page.isEmpty() ? HtmlText.of(page) : text(rest, variables);
    return new Words(subject, plain, page);
  }

  /// A single line with variables, such as a subject.
  static String text(String source, JsonNode variables) throws InterruptedException {
    return MailTemplate.parse(source, MailTemplate.Form.TEXT).render(variables);
  }

  private static String framed(String html, JsonNode variables) throws InterruptedException {
    var inner = MailTemplate.parse(html, MailTemplate.Form.HTML).render(variables);
    var start = inner.stripLeading().toLowerCase(Locale.ROOT);
    if (start.startsWith("<!doctype") || start.startsWith("<html")) return inner;
    return frame(variables).replace(CONTENT, inner);
  }

  private static String frame(JsonNode variables) throws InterruptedException {
    return MailTemplate.parse(builtIn("frame.html").orElseThrow(), MailTemplate.Form.HTML)
        .render(variables);
  }

  private Optional<String> source(String name, String ending) throws WorkFailure {
    var own = ownFile(name, ending);
    if (own.isPresent()) return own;
    // A custom template replaces both parts of a built-in one.
    var other = ending.equals(".txt") ? ".html" : ".txt";
    return ownFile(name, other).isPresent() || name.equals("frame")
        ? Optional.empty()
        : builtIn(name + ending);
  }

  private Optional<String> ownFile(String name, String ending) throws WorkFailure {
    var file = folder.resolve(name + ending);
    try {
      if (!Files.isRegularFile(file)) return Optional.empty();
      if (Files.size(file) > LARGEST) {
        throw WorkFailure.permanent("INVALID_DATA", "template " + name + " is too large");
      }
      return Optional.of(Files.readString(file));
    } catch (IOException failed) {
      throw WorkFailure.passing("TEMPLATE_ERROR", "template " + name + " can't be read", failed);
    }
  }

  private static Optional<String> builtIn(String file) {
    try (var in = MailTemplates.class.getResourceAsStream(file)) {
      return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), UTF_8));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static WorkFailure unknown(String name) {
    var shown = Mailbox.hasControls(name) || name.length() > 64 ? "of that name" : "'" + name + "'";
    return WorkFailure.permanent("INVALID_DATA", "template " + shown + " is unknown");
  }
}
