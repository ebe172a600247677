package io.tidemill.content.charset;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An encoding of the web, by the name that the Encoding Standard gives it; decoding never fails.
public final class Encoding {
  public static final Encoding UTF_8 = of("UTF-8", StandardCharsets.UTF_8);
  public static final Encoding UTF_16LE = of("UTF-16LE", StandardCharsets.UTF_16LE);
  public static final Encoding UTF_16BE = of("UTF-16BE", StandardCharsets.UTF_16BE);
  public static final Encoding WINDOWS_1252 = singleByte("windows-1252", "windows-1252");

  private static final char UNKNOWN = '\uFFFD';
  private static final Map<String, Encoding> STANDARD = new HashMap<>();
  private static final Map<String, Encoding> OTHERS = new HashMap<>();

  private final String name;
  private final @Nullable Charset charset;
  private final char @Nullable [] table;

  static {
    standard(UTF_8, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8");
    standard(UTF_16LE, "utf-16 csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff");
    standard(UTF_16BE, "unicodefffe");
    standard(
        WINDOWS_1252,
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1"
            + " iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252");
    standard(singleByte("IBM866", "IBM866"), "866 cp866 csibm866");
    latin(2, "csisolatin2 iso-ir-101 iso_8859-2 iso_8859-2:1987 l2 latin2");
    latin(3, "csisolatin3 iso-ir-109 iso_8859-3 iso_8859-3:1988 l3 latin3");
    latin(4, "csisolatin4 iso-ir-110 iso_8859-4 iso_8859-4:1988 l4 latin4");
    latin(5, "csisolatincyrillic cyrillic iso-ir-144 iso_8859-5 iso_8859-5:1988");
    latin(
        6,
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e"
            + " iso-8859-6-i iso-ir-127 iso_8859-6 iso_8859-6:1987");
    latin(
        7,
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso_8859-7 iso_8859-7:1987"
            + " sun_eu_greek");
    latin(
        8,
        "csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso_8859-8 iso_8859-8:1988"
            + " visual");
    standard(singleByte("ISO-8859-8-I", "ISO-8859-8"), "csiso88598i logical");
    standard(
        new Encoding("ISO-8859-10", null, latin6()),
        "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6");
    latin(13, "");
    standard(new Encoding("ISO-8859-14", null, latin8()), "iso8859-14 iso885914");
    latin(15, "csisolatin9 iso_8859-15 l9");
    standard(singleByte("ISO-8859-16", "ISO-8859-16"), "");
    standard(singleByte("KOI8-R", "KOI8-R"), "cskoi8r koi koi8 koi8_r");
    standard(singleByte("KOI8-U", "KOI8-U"), "koi8-ru");
    standard(singleByte("macintosh", "x-MacRoman"), "csmacintosh mac x-mac-roman");
    standard(
        singleByte("windows-874", "x-windows-874"),
        "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620");
    windows(1250, "");
    windows(1251, "");
    windows(1253, "");
    windows(
        1254,
        "csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5"
            + " latin5");
    windows(1255, "");
    windows(1256, "");
    windows(1257, "");
    windows(1258, "");
    standard(singleByte("x-mac-cyrillic", "x-MacUkraine"), "x-mac-ukrainian");
    standard(
        of("GBK", Charset.forName("GB18030")),
        "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk");
    standard(of("gb18030", Charset.forName("GB18030")), "");
    standard(of("Big5", Charset.forName("Big5-HKSCS")), "big5-hkscs cn-big5 csbig5 x-x-big5");
    standard(of("EUC-JP", Charset.forName("EUC-JP")), "cseucpkdfmtjapanese x-euc-jp");
    standard(of("ISO-2022-JP", Charset.forName("ISO-2022-JP")), "csiso2022jp");
    standard(
        of("Shift_JIS", Charset.forName("windows-31j")),
        "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis");
    standard(
        of("EUC-KR", Charset.forName("x-windows-949")),
        "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601"
            + " windows-949");
    standard(
        new Encoding("replacement", null, null),
        "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr");
    standard(new Encoding("x-user-defined", null, userDefined()), "");
    // Not of the web: browsers refuse them, files and old archives still hold them.
    other(of("UTF-32LE", Charset.forName("UTF-32LE")), "utf-32");
    other(of("UTF-32BE", Charset.forName("UTF-32BE")), "");
    other(singleByte("IBM855", "IBM855"), "855 cp855 csibm855");
    other(of("Johab", Charset.forName("x-Johab")), "x-johab cp1361 ms1361");
    other(of("ISO-2022-KR", Charset.forName("ISO-2022-KR")), "");
    other(of("ISO-2022-CN", Charset.forName("ISO-2022-CN")), "");
    OTHERS.put("maccyrillic", named("x-mac-cyrillic"));
    OTHERS.put("cp932", named("Shift_JIS"));
    OTHERS.put("cp949", named("EUC-KR"));
    OTHERS.put("cp936", named("GBK"));
  }

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

  private static void standard(Encoding encoding, String labels) {
    add(STANDARD, encoding, labels);
  }

  private static void other(Encoding encoding, String labels) {
    add(OTHERS, encoding, labels);
  }

  private static void add(Map<String, Encoding> to, Encoding encoding, String labels) {
    to.put(encoding.name.toLowerCase(Locale.ROOT), encoding);
    for (var label : labels.split(" ", -1)) if (!label.isEmpty()) to.put(label, encoding);
  }

  private static void latin(int part, String labels) {
    var own = " iso8859-" + part + " iso8859" + part;
    standard(singleByte("ISO-8859-" + part, "ISO-8859-" + part), labels + own);
  }

  private static void windows(int page, String labels) {
    var own = " cp" + page + " x-cp" + page;
    standard(singleByte("windows-" + page, "windows-" + page), labels + own);
  }

  private static Encoding of(String name, Charset charset) {
    return new Encoding(name, charset, null);
  }

  private static Encoding singleByte(String name, String javaName) {
    return new Encoding(name, null, upperHalf(Charset.forName(javaName)));
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
