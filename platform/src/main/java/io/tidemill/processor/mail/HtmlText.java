package io.tidemill.processor.mail;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The text of a page, for mail programs that show no HTML; one linear pass over any input (F50).
final class HtmlText {
  private static final Set<String> HIDDEN = Set.of("style", "script", "head", "title");
  private static final Set<String> BREAKS =
      Set.of("br", "/p", "/div", "/h1", "/h2", "/h3", "/h4", "/h5", "/h6", "/li", "/tr", "/table");
  private static final Pattern ADDRESS =
      Pattern.compile("(?i)\\shref\\s*=\\s*\"((?:https?:|mailto:)[^\"]*)\"");

  private final String html;
  private final StringBuilder out = new StringBuilder();
  private String link = "";
  private int at;

  private HtmlText(String html) {
    this.html = html;
  }

  static String of(String html) {
    var text = new HtmlText(html);
    while (text.at < html.length()) text.step();
    var lines = unescaped(text.out.toString()).lines().map(String::strip);
    return lines.collect(Collectors.joining("\n")).replaceAll("\\n{3,}", "\n\n").strip() + "\n";
  }

  private void step() {
    var c = html.charAt(at);
    if (html.startsWith("<!--", at)) skip(html.indexOf("-->", at + 4), 3);
    else if (c == '<') tag();
    else letter(c);
  }

  private void letter(char c) {
    at++;
    if (c > ' ') out.append(c);
    else if (!out.isEmpty() && out.charAt(out.length() - 1) > ' ') out.append(' ');
  }

  private void tag() {
    var end = html.indexOf('>', at);
    if (end < 0) {
      out.append(html, at, html.length());
      at = html.length();
      return;
    }
    var tag = html.substring(at + 1, end);
    at = end + 1;
    var name = name(tag);
    if (HIDDEN.contains(name)) hide("</" + name);
    else if (name.equals("a")) open(tag);
    else if (name.equals("/a")) close();
    else if (name.equals("li")) out.append("- ");
    else if (BREAKS.contains(name)) out.append('\n');
  }

  private static String name(String tag) {
    var end = tag.startsWith("/") ? 1 : 0;
    while (end < tag.length() && Character.isLetterOrDigit(tag.charAt(end))) end++;
    return tag.substring(0, end).toLowerCase(Locale.ROOT);
  }

  // An element that is not closed hides the rest, as in a browser.
  private void hide(String closing) {
    while (at < html.length() && !html.regionMatches(true, at, closing, 0, closing.length())) at++;
    skip(at < html.length() ? html.indexOf('>', at) : -1, 1);
  }

  private void skip(int end, int length) {
    at = end < 0 ? html.length() : end + length;
  }

  private void open(String tag) {
    var address = ADDRESS.matcher(tag);
    link = address.find() ? address.group(1) : "";
  }

  private void close() {
    if (!link.isEmpty()) out.append(" (").append(link).append(')');
    link = "";
  }

  private static String unescaped(String text) {
    return text.replace("&nbsp;", " ")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }
}
