package io.tidemill.content.charset;

import io.tidemill.content.text.ResourceText;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An encoding of the web, by the name that the Encoding Standard gives it; decoding never fails.
public final class Encoding {
  private static final char UNKNOWN = '\uFFFD';
  private static final Map<String, Encoding> STANDARD = new HashMap<>();
  private static final Map<String, Encoding> OTHERS = new HashMap<>();

  static {
    ResourceText.lines(Encoding.class, "encodings.txt").forEach(line -> add(line.split(" ", -1)));
  }

  public static final Encoding UTF_8 = named("UTF-8");
  public static final Encoding UTF_16LE = named("UTF-16LE");
  public static final Encoding UTF_16BE = named("UTF-16BE");
  public static final Encoding WINDOWS_1252 = named("windows-1252");

  private final String name;
  private final @Nullable Charset charset;
  private final char @Nullable [] table;

  private Encoding(String name, @Nullable Charset charset, char @Nullable [] table) {
    this.name = name;
    this.charset = charset;
    this.table = table;
  }

  /// The encoding that a label of the Encoding Standard names; empty for any other label.
  public static Optional<Encoding> forLabel(String label) {
    return Optional.ofNullable(STANDARD.get(key(label)));
  }

  /// As [#forLabel], and the encodings that files use though no browser reads them.
  public static Optional<Encoding> forAnyLabel(String label) {
    var key = key(label);
    var other = OTHERS.get(key);
    return Optional.ofNullable(other == null ? STANDARD.get(key) : other);
  }

  static Encoding named(String label) {
    return forAnyLabel(label).orElseThrow(() -> new IllegalArgumentException(label));
  }

  /// The name that the Encoding Standard gives it.
  public String name() {
    return name;
  }

  /// Characters of the bytes from `start` on; what is not valid becomes U+FFFD.
  public String decode(byte[] bytes, int start, int length) {
    if (table != null) return decodeByTable(table, bytes, start, length);
    if (charset != null) return new String(bytes, start, length, charset);
    return length == 0 ? "" : String.valueOf(UNKNOWN);
  }

  private static String decodeByTable(char[] table, byte[] bytes, int start, int length) {
    var chars = new char[length];
    for (var i = 0; i < length; i++) {
      var b = bytes[start + i];
      chars[i] = b >= 0 ? (char) b : table[b & 0x7F];
    }
    return new String(chars);
  }

  /// The upper half of a single-byte encoding; null for the others.
  char @Nullable [] table() {
    return table;
  }

  @Override
  public String toString() {
    return name;
  }

  private static String key(String label) {
    return strip(label).toLowerCase(Locale.ROOT);
  }

  // Exactly the white space of the standard: String.strip() takes more.
  private static String strip(String label) {
    var start = 0;
    var end = label.length();
    while (start < end && isSpace(label.charAt(start))) start++;
    while (end > start && isSpace(label.charAt(end - 1))) end--;
    return label.substring(start, end);
  }

  static boolean isSpace(int c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
  }

  private static void add(String[] line) {
    if (line[0].equals("alias")) {
      OTHERS.put(line[1], named(line[2]));
      return;
    }
    var encoding = decoder(line[1], line[2], line[3]);
    var labels = line[0].equals("web") ? STANDARD : OTHERS;
    labels.put(key(encoding.name), encoding);
    for (var label : List.of(line).subList(4, line.length)) labels.put(label, encoding);
  }

  private static Encoding decoder(String name, String kind, String decoder) {
    return switch (kind) {
      case "charset" -> new Encoding(name, Charset.forName(decoder), null);
      case "table" -> new Encoding(name, null, upperHalf(Charset.forName(decoder)));
      default -> new Encoding(name, null, ownTable(decoder));
    };
  }

  private static char @Nullable [] ownTable(String decoder) {
    return switch (decoder) {
      case "latin6" -> latin6();
      case "latin8" -> latin8();
      case "user-defined" -> userDefined();
      default -> null;
    };
  }

  private static char[] upperHalf(Charset charset) {
    var bytes = new byte[128];
    for (var i = 0; i < 128; i++) bytes[i] = (byte) (i + 128);
    var table = new String(bytes, charset).toCharArray();
    for (var i = 0; i < 32; i++) {
      // The standard gives unused places of the control range to the control characters.
      if (table[i] == '\uFFFD') table[i] = (char) (i + 128);
    }
    return table;
  }

  private static char[] userDefined() {
    var table = new char[128];
    for (var i = 0; i < 128; i++) table[i] = (char) (0xF780 + i);
    return table;
  }

  // The JDK has no ISO-8859-10 and no ISO-8859-14.
  private static char[] latin6() {
    return withControls(
        "\u00A0ĄĒĢĪĨĶ§ĻĐŠŦŽ\u00ADŪŊ°ąēģīĩķ·ļđšŧž―ūŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞß"
            + "āáâãäåæįčéęëėíîïðņōóôõöũøųúûüýþĸ");
  }

  private static char[] latin8() {
    return withControls(
        "\u00A0Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ\u00AD®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶß"
            + "àáâãäåæçèéêëìíîïŵñòóôõöṫøùúûüýŷÿ");
  }

  private static char[] withControls(String upper) {
    var table = new char[128];
    for (var i = 0; i < 32; i++) table[i] = (char) (i + 128);
    upper.getChars(0, 96, table, 32);
    return table;
  }
}
