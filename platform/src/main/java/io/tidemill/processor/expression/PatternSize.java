package io.tidemill.processor.expression;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/// The size of a pattern with all repeats expanded, as RE2 compiles it: `(a{9}){9}` is 81 times as
/// large as `a`.
///
/// The size of a pattern that RE2 refuses is arbitrary.
final class PatternSize {
  private static final long ENOUGH = Integer.MAX_VALUE;
  private static final Pattern FLAGS = Pattern.compile("\\?[A-Za-z-]*\\)");

  /// A group: the size of its parts, and of its last part, to which a following repeat applies.
  private static final class Group {
    long before;
    long last;

    void add(long size) {
      before = Math.min(ENOUGH, before + last);
      last = size;
    }

    void repeat(long times) {
      last = Math.min(ENOUGH, Math.max(1, last) * Math.max(1, times) + 1);
    }

    long size() {
      return Math.min(ENOUGH, before + last);
    }
  }

  private final String regex;
  private final Deque<Group> groups = new ArrayDeque<>();
  private Group group = new Group();
  private int at;

  private PatternSize(String regex) {
    this.regex = regex;
  }

  static long of(String regex) {
    var size = new PatternSize(regex);
    while (size.at < regex.length()) size.step(regex.charAt(size.at++));
    while (!size.groups.isEmpty()) size.close();
    return size.group.size();
  }

  private void step(char c) {
    switch (c) {
      case '\\' -> escape();
      case '[' -> list();
      case '(' -> open();
      case ')' -> close();
      case '{' -> repeat();
      case '*', '+', '?' -> group.repeat(1);
      default -> group.add(1);
    }
  }

  private void open() {
    var flags = FLAGS.matcher(regex).region(at, regex.length());
    if (flags.lookingAt()) {
      // Not a part: a following repeat applies to the part before it.
      at = flags.end();
      return;
    }
    groups.push(group);
    group = new Group();
  }

  private void close() {
    var inner = group.size() + 2; // where it starts and ends is noted
    if (!groups.isEmpty()) group = groups.pop();
    group.add(inner);
  }

  private void escape() {
    if (regex.startsWith("Q", at)) {
      quoted();
    } else {
      if (regex.startsWith("x{", at)) skip(regex.indexOf('}', at));
      else at++;
      group.add(1);
    }
  }

  private void quoted() {
    var end = regex.indexOf("\\E", at);
    var stop = end < 0 ? regex.length() : end;
    for (at++; at < stop; at++) group.add(1);
    at = Math.min(regex.length(), stop + 2);
  }

  // A bracket that comes first belongs to the list, and so do those of `[:alpha:]`.
  private void list() {
    if (regex.startsWith("^", at)) at++;
    if (regex.startsWith("]", at)) at++;
    while (at < regex.length() && regex.charAt(at) != ']') {
      var named = regex.startsWith("[:", at) ? regex.indexOf(":]", at + 2) : -1;
      if (named >= 0) at = named + 2;
      else at += regex.charAt(at) == '\\' ? 2 : 1;
    }
    at++;
    group.add(1);
  }

  private void skip(int last) {
    at = last < 0 ? regex.length() : last + 1;
  }

  // `{2}`, `{2,}` or `{2,5}`; in anything else the bracket stands for itself.
  private void repeat() {
    var end = regex.indexOf('}', at);
    var counts = end < 0 ? "" : regex.substring(at, end);
    var comma = counts.indexOf(',');
    var least = comma < 0 ? counts : counts.substring(0, comma);
    var most = comma < 0 ? "" : counts.substring(comma + 1);
    if (least.isEmpty() || !isNumber(least) || !isNumber(most)) {
      group.add(1);
      return;
    }
    group.repeat(Math.max(number(least), number(most)));
    skip(end);
  }

  private static boolean isNumber(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static long number(String digits) {
    if (digits.isEmpty()) return 0;
    return digits.length() > 9 ? ENOUGH : Long.parseLong(digits);
  }
}
