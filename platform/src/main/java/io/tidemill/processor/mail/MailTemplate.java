package io.tidemill.processor.mail;

import io.tidemill.content.text.MarkupEscape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A text with places for variables:
///
/// - `{{name}}` the value, `{{name|somebody}}` with a word for when there is none,
/// - `{{link:url}}` the value if it is a web or mail address, `#` otherwise,
/// - `{{#items}}…{{/items}}` once for each item, or once when there is a value; inside, `{{.}}` is
///   the item,
/// - `{{^items}}…{{/items}}` when there is none.
///
/// Values are never read as template or, in HTML, as anything but text (F52).
final class MailTemplate {
  /// Whether what is written is HTML, where values must be escaped.
  enum Form {
    TEXT,
    HTML
  }

  private static final int LONGEST = 1 << 20;
  private static final int DEEPEST = 20;
  private static final int MOST_PARTS = 200_000;
  private static final int LONGEST_ADDRESS = 4_000;
  private static final Pattern NAME = Pattern.compile("\\.|[A-Za-z_][\\w-]*(\\.[A-Za-z_][\\w-]*)*");
  private static final Pattern ADDRESS = Pattern.compile("(https?://|mailto:)[^\\s\"'<>]+");

  private sealed interface Part {
    record Words(String text) implements Part {}

    record Value(String name, boolean isUrl, @Nullable String fallback) implements Part {}

    record Section(String name, boolean isInverted, List<Part> parts) implements Part {}
  }

  private final List<Part> parts;
  private final Form form;

  private MailTemplate(List<Part> parts, Form form) {
    this.parts = parts;
    this.form = form;
  }

  /// @throws IllegalArgumentException that says where the template is wrong
  static MailTemplate parse(String source, Form form) {
    var reader = new Reader(source);
    return new MailTemplate(reader.parts("", 0), form);
  }

  /// @throws IllegalArgumentException when a variable that has no default is missing, by its name
  String render(JsonNode variables) throws InterruptedException {
    var page = new Page();
    page.scopes.push(variables);
    page.write(parts);
    return page.out.toString();
  }

  /// The output so far and the current scopes.
  private final class Page {
    private final Deque<JsonNode> scopes = new ArrayDeque<>();
    private final StringBuilder out = new StringBuilder();
    private int written;

    void write(List<Part> parts) throws InterruptedException {
      for (var part : parts) {
        checkLimits();
        switch (part) {
          case Part.Words(var text) -> out.append(text);
          case Part.Value value -> out.append(escaped(value(value, scopes)));
          case Part.Section section -> write(section);
        }
        if (out.length() > LONGEST) throw new IllegalArgumentException("the mail is too long");
      }
    }

    // Lists within lists multiply, even when nothing is written (F50).
    private void checkLimits() throws InterruptedException {
      if (++written > MOST_PARTS) throw new IllegalArgumentException("its sections go on too long");
      if (Thread.interrupted()) throw new InterruptedException("told to stop while writing a mail");
    }

    private void write(Part.Section section) throws InterruptedException {
      var found = find(section.name, scopes);
      if (section.isInverted) {
        if (isNothing(found)) write(section.parts);
        return;
      }
      if (found == null || isNothing(found)) return;
      if (!found.isArray()) {
        inside(found, section.parts);
      } else {
        for (var item : found) inside(item, section.parts);
      }
    }

    private void inside(JsonNode item, List<Part> parts) throws InterruptedException {
      scopes.push(item);
      write(parts);
      scopes.pop();
    }
  }

  private static boolean isNothing(@Nullable JsonNode found) {
    if (found == null || found.isNull()) return true;
    if (found.isArray()) return found.isEmpty();
    return found.isBoolean()
        ? !found.booleanValue()
        : found.isString() && found.stringValue().isEmpty();
  }

  private static String value(Part.Value value, Deque<JsonNode> scopes) {
    var found = find(value.name, scopes);
    if (found == null || found.isNull() || isEmptyText(found)) {
      if (value.fallback != null) return value.fallback;
      if (found != null) return "";
      throw new IllegalArgumentException("the variable '" + value.name + "' is missing");
    }
    if (value.isUrl) return address(found);
    return found.isContainer() ? found.toString() : found.asString();
  }

  private static String address(JsonNode found) {
    var text = found.isString() ? found.stringValue() : "";
    var isOne = text.length() <= LONGEST_ADDRESS && ADDRESS.matcher(text).matches();
    return isOne ? text : "#";
  }

  private static boolean isEmptyText(JsonNode found) {
    return found.isString() && found.stringValue().isEmpty();
  }

  private static @Nullable JsonNode find(String name, Deque<JsonNode> scopes) {
    if (name.equals(".")) return scopes.peek();
    for (var scope : scopes) {
      var at = scope;
      for (var step : name.split("\\.", -1)) at = at == null ? null : at.get(step);
      if (at != null) return at;
    }
    return null;
  }

  private String escaped(String text) {
    return form == Form.HTML ? MarkupEscape.escaped(text) : text;
  }

  private static final class Reader {
    private final String source;
    private int at;

    Reader(String source) {
      this.source = source;
    }

    List<Part> parts(String section, int depth) {
      if (depth > DEEPEST) throw wrong("sections lie too deep");
      var parts = new ArrayList<Part>();
      while (true) {
        var open = source.indexOf("{{", at);
        if (open < 0) {
          if (!section.isEmpty()) throw wrong("{{/" + section + "}} is missing");
          parts.add(new Part.Words(source.substring(at)));
          return List.copyOf(parts);
        }
        parts.add(new Part.Words(source.substring(at, open)));
        var tag = tag(open);
        if (tag.startsWith("/")) {
          if (!tag.substring(1).strip().equals(section))
            throw wrong("{{" + tag + "}} ends nothing");
          return List.copyOf(parts);
        }
        parts.add(part(tag, depth));
      }
    }

    private String tag(int open) {
      var close = source.indexOf("}}", open);
      if (close < 0) throw wrong("}} is missing");
      at = close + 2;
      return source.substring(open + 2, close).strip();
    }

    private Part part(String tag, int depth) {
      var kind = tag.isEmpty() ? ' ' : tag.charAt(0);
      if (kind == '#' || kind == '^') {
        var name = name(tag.substring(1).strip());
        return new Part.Section(name, kind == '^', parts(name, depth + 1));
      }
      var bar = tag.indexOf('|');
      var fallback = bar < 0 ? null : tag.substring(bar + 1);
      var head = (bar < 0 ? tag : tag.substring(0, bar)).strip();
      var isUrl = head.toLowerCase(Locale.ROOT).endsWith(":url");
      return new Part.Value(
          name(isUrl ? head.substring(0, head.length() - ":url".length()) : head), isUrl, fallback);
    }

    private String name(String text) {
      if (NAME.matcher(text).matches()) return text;
      throw wrong("{{" + text + "}} is no name of a variable");
    }

    private IllegalArgumentException wrong(String what) {
      var line = source.substring(0, Math.min(at, source.length())).lines().count();
      return new IllegalArgumentException("line " + Math.max(1, line) + ": " + what);
    }
  }
}
