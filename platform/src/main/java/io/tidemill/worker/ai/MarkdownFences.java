package io.tidemill.worker.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Splits Markdown at its fenced blocks, as CommonMark closes them: by a fence of the same kind
/// that is at least as long. One that is not closed ends with the text.
final class MarkdownFences {
  /// @param block whether it was fenced
  /// @param language as written behind the fence, in lower case; empty when it was not
  /// @param name as the model gave it; empty when it did not
  /// @param content of the block, or the text between blocks
  /// @param written the block with its fences
  record Part(boolean block, String language, String name, String content, String written) {}

  private static final Pattern OPEN = Pattern.compile(" {0,3}+(`{3,}+|~{3,}+)\\s*+([^`]*+)");
  private static final Pattern CLOSE = Pattern.compile(" {0,3}+(`{3,}+|~{3,}+)\\s*+");
  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "\\b(?:title|file|filename|name|path)\\s*[=:]\\s*(?:\"([^\"]+)\"|'([^']+)'|([^\\s}]+))");
  private static final String PATH = "(?:\\.?[\\w@+-][\\w.@+-]*/)*\\.?[\\w@+-][\\w.@+-]*";
  // A heading, a list, bold or code: nothing else may stand on the line.
  private static final Pattern ALONE =
      Pattern.compile(
          "(?i)(?:#+ |[*-] )?\\s*(?:file(?:name)?:\\s*)?(?:\\*\\*)?`?("
              + PATH
              + ")`?(?:\\*\\*)?:?");
  private static final Pattern COMMENT =
      Pattern.compile(
          "(?i)(?://|#|--|;|/\\*|<!--)\\s*(?:file(?:name)?:\\s*)?(" + PATH + ")\\s*(?:\\*/|-->)?");
  private static final Pattern LIKE_A_FILE =
      Pattern.compile("(?i).*\\.[a-z][a-z0-9]{0,9}|(?:.*/)?(?:dockerfile|makefile|\\.[a-z]+)");
  private static final int LONGEST_LINE = 300;

  private final List<Part> parts = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder written = new StringBuilder();
  private final StringBuilder content = new StringBuilder();
  private String lastLine = "";
  private String fence = "";
  private String info = "";

  private MarkdownFences() {}

  static List<Part> split(String markdown) {
    var fences = new MarkdownFences();
    markdown.lines().forEach(fences::line);
    if (!fences.fence.isEmpty()) fences.close();
    fences.endText();
    return fences.parts;
  }

  private void line(String line) {
    if (fence.isEmpty()) outside(line);
    else inside(line);
  }

  private void outside(String line) {
    var open = OPEN.matcher(line);
    if (!open.matches()) {
      text.append(line).append('\n');
      if (!line.isBlank()) lastLine = line;
      return;
    }
    fence = open.group(1);
    info = open.group(2).strip();
    if (info.length() > LONGEST_LINE) info = "";
    written.append(line).append('\n');
  }

  private void inside(String line) {
    written.append(line).append('\n');
    var mark = CLOSE.matcher(line);
    // As long as the one that opened, or longer: then it begins with that one.
    if (mark.matches() && mark.group(1).startsWith(fence)) close();
    else content.append(line).append('\n');
  }

  private void close() {
    var name = nameInInfo();
    var language = language(name);
    if (name.isEmpty()) name = nameIn(ALONE, lastLine);
    if (name.isEmpty()) name = nameIn(COMMENT, content.toString().lines().findFirst().orElse(""));
    endText();
    parts.add(new Part(true, language, name, content.toString(), written.toString()));
    content.setLength(0);
    written.setLength(0);
    fence = "";
    lastLine = "";
  }

  private void endText() {
    if (!text.isEmpty()) parts.add(new Part(false, "", "", text.toString(), ""));
    text.setLength(0);
  }

  // `python src/app.py`, `python:src/app.py`, `src/app.py`, `python title="src/app.py"`
  private String nameInInfo() {
    var attribute = ATTRIBUTE.matcher(info);
    if (attribute.find()) return group(attribute);
    var words = info.split("[\\s:]+", 2);
    if (words.length == 2) return nameBehindLanguage(words[1].strip());
    return LIKE_A_FILE.matcher(info).matches() ? info : "";
  }

  // Others write there how the block is to be shown: `js {1,3}`, `python showLineNumbers`.
  private static String nameBehindLanguage(String rest) {
    if (LIKE_A_FILE.matcher(rest).matches()) return rest;
    var word = rest.split("\\s+", 2)[0];
    var isPath = word.contains("/") || word.contains("\\");
    return isPath || LIKE_A_FILE.matcher(word).matches() ? word : "";
  }

  private static String group(Matcher found) {
    for (int i = 1; i <= found.groupCount(); i++) {
      if (found.group(i) != null) return found.group(i);
    }
    return "";
  }

  private String language(String name) {
    var first = info.split("[\\s:{]+", 2)[0];
    return first.equals(name) ? "" : first.toLowerCase(Locale.ROOT);
  }

  private static String nameIn(Pattern pattern, String line) {
    if (line.length() > LONGEST_LINE) return "";
    var found = pattern.matcher(line.strip());
    return found.matches() && LIKE_A_FILE.matcher(found.group(1)).matches() ? found.group(1) : "";
  }
}
