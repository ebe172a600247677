package io.tidemill.content.url;

import com.ibm.icu.text.IDNA;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The WHATWG host parser: domains to ASCII (UTS 46), every spelling of IPv4, IPv6.
final class HostParser {
  private static final byte UPPER = 1;
  private static final byte FORBIDDEN = 2;
  private static final byte[] KIND = kinds();

  /// No name in the DNS is longer than 253; Punycode takes the square of the length.
  private static final int LONGEST_DOMAIN = 1_000;

  private HostParser() {}

  private static byte[] kinds() {
    var kinds = new byte[0x80];
    for (int c = 0; c <= ' '; c++) kinds[c] = FORBIDDEN;
    for (char c : "#/:<>?@[\\]^|%\u007F".toCharArray()) kinds[c] = FORBIDDEN;
    for (int c = 'A'; c <= 'Z'; c++) kinds[c] = UPPER;
    return kinds;
  }

  static @Nullable String parse(String in, int from, int to) {
    if (from == to) return null;
    if (in.charAt(from) == '[') {
      return in.charAt(to - 1) == ']' ? IpNumbers.ipv6(in.substring(from + 1, to - 1)) : null;
    }
    boolean upper = false;
    for (int i = from; i < to; i++) {
      char c = in.charAt(i);
      if (c >= 0x80 || KIND[c] == FORBIDDEN) return difficult(in.substring(from, to));
      upper |= KIND[c] == UPPER;
    }
    var host = in.substring(from, to);
    return ipv4OrDomain(upper ? host.toLowerCase(Locale.ROOT) : host);
  }

  private static @Nullable String difficult(String written) {
    var domain = written.indexOf('%') < 0 ? written : decode(written);
    var ascii = isAscii(domain) ? domain.toLowerCase(Locale.ROOT) : Idna.toAscii(domain);
    if (ascii == null || ascii.isEmpty()) return null;
    for (int i = 0; i < ascii.length(); i++) {
      char c = ascii.charAt(i);
      if (c >= 0x80 || KIND[c] == FORBIDDEN) return null;
    }
    return ipv4OrDomain(ascii);
  }

  private static @Nullable String ipv4OrDomain(String domain) {
    return IpNumbers.endsInNumber(domain) ? IpNumbers.ipv4(domain) : domain;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) return false;
    }
    return true;
  }

  private static String decode(String written) {
    var bytes = written.getBytes(StandardCharsets.UTF_8);
    var out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      int value = bytes[i] == '%' && i + 2 < bytes.length ? hex(bytes[i + 1], bytes[i + 2]) : -1;
      out.write(value < 0 ? bytes[i] : value);
      if (value >= 0) i += 2;
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static int hex(int high, int low) {
    int first = Character.digit(high, 16);
    int second = Character.digit(low, 16);
    return first < 0 || second < 0 ? -1 : first << 4 | second;
  }

  /// Apart, so that ICU's tables are loaded with the first name that needs them.
  private static final class Idna {
    private static final IDNA UTS46 =
        IDNA.getUTS46Instance(
            IDNA.CHECK_BIDI
                | IDNA.CHECK_CONTEXTJ
                | IDNA.NONTRANSITIONAL_TO_ASCII
                | IDNA.NONTRANSITIONAL_TO_UNICODE);

    /// The standard neither checks hyphens nor verifies lengths.
    private static final Set<IDNA.Error> LET_PASS =
        EnumSet.of(
            IDNA.Error.EMPTY_LABEL,
            IDNA.Error.LABEL_TOO_LONG,
            IDNA.Error.DOMAIN_NAME_TOO_LONG,
            IDNA.Error.LEADING_HYPHEN,
            IDNA.Error.TRAILING_HYPHEN,
            IDNA.Error.HYPHEN_3_4);

    static @Nullable String toAscii(String domain) {
      if (domain.length() > LONGEST_DOMAIN) return null;
      var out = new StringBuilder();
      var info = new IDNA.Info();
      UTS46.nameToASCII(domain, out, info);
      return LET_PASS.containsAll(info.getErrors()) ? out.toString() : null;
    }
  }
}
