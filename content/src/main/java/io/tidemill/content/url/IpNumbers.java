package io.tidemill.content.url;

import org.jspecify.annotations.Nullable;

/// IP addresses as browsers read them: `0x7f.1`, `2130706433` and `017700000001` are 127.0.0.1.
final class IpNumbers {
  private static final long TOO_LARGE = 1L << 40;

  private IpNumbers() {}

  /// Whether the last label is a number, which makes the host an IPv4 address or nothing.
  static boolean endsInNumber(String domain) {
    int end = domain.length();
    if (end > 0 && domain.charAt(end - 1) == '.') end--;
    int start = domain.lastIndexOf('.', end - 1) + 1;
    if (start >= end || !isDigit(domain.charAt(start))) return false;
    return isDecimal(domain, start, end) || number(domain.substring(start, end)) >= 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isDecimal(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isDigit(text.charAt(i))) return false;
    }
    return true;
  }

  static @Nullable String ipv4(String domain) {
    var text = domain.endsWith(".") ? domain.substring(0, domain.length() - 1) : domain;
    var parts = text.split("\\.", -1);
    if (parts.length > 4) return null;
    long address = 0;
    for (int i = 0; i < parts.length; i++) {
      long number = parts[i].isEmpty() ? -1 : number(parts[i]);
      boolean last = i == parts.length - 1;
      long limit = last ? 1L << (8 * (5 - parts.length)) : 256;
      if (number < 0 || number >= limit) return null;
      address += last ? number : number << (8 * (3 - i));
    }
    return dotted(address);
  }

  private static String dotted(long address) {
    return (address >> 24)
        + "."
        + (address >> 16 & 255)
        + "."
        + (address >> 8 & 255)
        + "."
        + (address & 255);
  }

  /// -1 when it is not a number.
  private static long number(String part) {
    int radix = 10;
    int from = 0;
    if (part.startsWith("0x") || part.startsWith("0X")) {
      radix = 16;
      from = 2;
    } else if (part.length() > 1 && part.charAt(0) == '0') {
      radix = 8;
      from = 1;
    }
    long value = 0;
    for (int i = from; i < part.length(); i++) {
      int digit = part.charAt(i) < 0x80 ? Character.digit(part.charAt(i), radix) : -1;
      if (digit < 0) return -1;
      value = Math.min(TOO_LARGE, value * radix + digit);
    }
    return value;
  }

  /// With its brackets, as short as the standard says; null when it is none.
  static @Nullable String ipv6(String text) {
    var pieces = new int[8];
    return new Ipv6(text, pieces).read() ? "[" + shortest(pieces) + "]" : null;
  }

  private static String shortest(int[] pieces) {
    int gap = -1;
    int gapLength = 1;
    for (int i = 0; i < 8; i++) {
      int length = zeros(pieces, i);
      if (length > gapLength) {
        gap = i;
        gapLength = length;
      }
      i += Math.max(0, length - 1);
    }
    var out = new StringBuilder(39);
    for (int i = 0; i < 8; i++) {
      if (i == gap) {
        out.append(i == 0 ? "::" : ":");
        i += gapLength - 1;
      } else {
        out.append(Integer.toHexString(pieces[i]));
        if (i < 7) out.append(':');
      }
    }
    return out.toString();
  }

  private static int zeros(int[] pieces, int from) {
    int to = from;
    while (to < 8 && pieces[to] == 0) to++;
    return to - from;
  }

  /// The standard's IPv6 parser.
  private static final class Ipv6 {
    private final String text;
    private final int[] pieces;
    private int at;
    private int count;
    private int gap = -1;

    Ipv6(String text, int[] pieces) {
      this.text = text;
      this.pieces = pieces;
    }

    boolean read() {
      if (text.startsWith("::")) {
        at = 2;
        gap = 0;
      } else if (text.startsWith(":")) {
        return false;
      }
      while (at < text.length()) {
        if (count == 8) return false;
        if (text.charAt(at) == ':') {
          if (gap >= 0) return false;
          at++;
          gap = count;
        } else if (!piece()) {
          return false;
        }
      }
      return spread();
    }

    private boolean piece() {
      int start = at;
      int value = 0;
      while (at < text.length() && at - start < 4 && digit(16) >= 0) {
        value = value * 16 + digit(16);
        at++;
      }
      if (at < text.length() && text.charAt(at) == '.') {
        at = start;
        return at < text.length() && digit(10) >= 0 && count <= 6 && dotted();
      }
      if (at < text.length() && (at == start || text.charAt(at) != ':')) return false;
      if (at < text.length() && ++at == text.length()) return false;
      pieces[count++] = value;
      return true;
    }

    /// An IPv4 address in the last two pieces.
    private boolean dotted() {
      for (int seen = 0; seen < 4; seen++) {
        if (seen > 0 && (at == text.length() || text.charAt(at++) != '.')) return false;
        int value = octet();
        if (value < 0) return false;
        pieces[count] = pieces[count] << 8 | value;
        if (seen % 2 == 1) count++;
      }
      return at == text.length();
    }

    private int octet() {
      int start = at;
      int value = 0;
      while (at < text.length() && digit(10) >= 0) {
        if (at > start && value == 0) return -1;
        value = value * 10 + digit(10);
        if (value > 255) return -1;
        at++;
      }
      return at == start ? -1 : value;
    }

    private int digit(int radix) {
      char c = text.charAt(at);
      return c < 0x80 ? Character.digit(c, radix) : -1;
    }

    private boolean spread() {
      if (gap < 0) return count == 8;
      int moved = count - gap;
      for (int i = 0; i < moved; i++) {
        pieces[7 - i] = pieces[count - 1 - i];
      }
      for (int i = gap; i < 8 - moved; i++) pieces[i] = 0;
      return count < 8;
    }
  }
}
