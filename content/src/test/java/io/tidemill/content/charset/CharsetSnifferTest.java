package io.tidemill.content.charset;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.CharsetDetector;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class CharsetSnifferTest {
  private static final CharsetSniffer SNIFFER = new CharsetSniffer(new LanguageDetector());
  private static final Pattern LANGUAGE = Pattern.compile("-[a-z]{5,}$");
  private static final Pattern DECLARATION =
      Pattern.compile("(?i)(encoding|charset)(=['\"]?)[-_a-z0-9]+");

  @ParameterizedTest
  @CsvSource({
    "utf8, UTF-8",
    "' Latin1\t', windows-1252",
    "ISO-8859-9, windows-1254",
    "tis-620, windows-874",
    "gb2312, GBK",
    "unicode, UTF-16LE",
    "iso-2022-cn, replacement",
    "x-user-defined, x-user-defined",
    "windows-31j, Shift_JIS",
    "logical, ISO-8859-8-I"
  })
  void knowsTheLabelsOfTheStandard(String label, String name) {
    assertThat(Encoding.forLabel(label).orElseThrow().name()).isEqualTo(name);
  }

  @Test
  void knowsNoOtherLabels() {
    assertThat(Encoding.forLabel("utf-32")).isEmpty();
    assertThat(Encoding.forLabel("utf-7")).isEmpty();
    assertThat(Encoding.forLabel("\u00A0utf-8")).isEmpty();
  }

  @Test
  void decodesLikeBrowsers() {
    var bytes = new byte[] {(byte) 0x80, (byte) 0x81, (byte) 0xFF};

    assertThat(Encoding.WINDOWS_1252.decode(bytes, 0, 3)).isEqualTo("€\u0081ÿ");
    assertThat(Encoding.named("x-user-defined").decode(bytes, 0, 3))
        .isEqualTo("\uF780\uF781\uF7FF");
    assertThat(Encoding.named("replacement").decode(bytes, 0, 3)).isEqualTo("\uFFFD");
    assertThat(Encoding.UTF_8.decode(bytes, 0, 3)).isEqualTo("\uFFFD\uFFFD\uFFFD");
  }

  @ParameterizedTest
  @CsvSource({
    "text/html;charset=koi8-r, <meta charset=utf-8>, KOI8-R",
    "text/html; charset=\"KOI8-R\", <meta charset=utf-8>, KOI8-R",
    "text/html; charset=nonsense, <meta charset=koi8-r>, KOI8-R",
    "text/html, <meta charset=utf-16le>, UTF-8",
    "text/html, <meta charset=x-user-defined>, windows-1252",
    "text/html, <?xml version='1.0' encoding='koi8-r'?>, KOI8-R",
    "application/xml, <?xml version='1.0' encoding='koi8-r'?>, KOI8-R",
    "application/xml, <a/>, UTF-8",
    "text/plain, <meta charset=koi8-r>, windows-1252",
    "text/html; charset=utf-16, x, UTF-16LE"
  })
  void believesTheHeaderThenTheDeclaration(String header, String body, String name) {
    assertThat(sniff(body, header)).isEqualTo(name);
  }

  @Test
  void believesAByteOrderMarkBeforeAllElse() {
    var marked = "\u00EF\u00BB\u00BFx".getBytes(StandardCharsets.ISO_8859_1);

    var decoded = SNIFFER.decode(marked, "text/html; charset=koi8-r");

    assertThat(decoded.encoding()).isSameAs(Encoding.UTF_8);
    assertThat(decoded.text()).isEqualTo("x");
  }

  @Test
  void readsUtf8ThatTheEndOfTheBodyCutsOff() {
    var whole = "Grüße aus Köln €".getBytes(StandardCharsets.UTF_8);
    var cut = java.util.Arrays.copyOf(whole, whole.length - 1);

    assertThat(SNIFFER.sniff(cut, "text/plain").encoding()).isSameAs(Encoding.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "windows-1251, Быстрая лиса перепрыгивает через ленивую собаку",
    "koi8-r, Быстрая лиса перепрыгивает через ленивую собаку",
    "ibm866, Быстрая лиса перепрыгивает через ленивую собаку",
    "iso-8859-7, Η γρήγορη καφέ αλεπού πηδάει πάνω από το σκυλί",
    "windows-1255, השועל החום המהיר קופץ מעל הכלב העצלן",
    "windows-1256, الثعلب البني السريع يقفز فوق الكلب الكسول",
    "windows-874, สุนัขจิ้งจอกสีน้ำตาลกระโดดข้ามสุนัขขี้เกียจ",
    "windows-1254, Hızlı kahverengi tilki tembel köpeğin üzerinden atlıyor şimdi",
    "iso-8859-2, Příliš žluťoučký kůň úpěl ďábelské ódy",
    "shift_jis, 素早い茶色の狐がのろまな犬を飛び越える",
    "euc-jp, 素早い茶色の狐がのろまな犬を飛び越える",
    "iso-2022-jp, 素早い茶色の狐がのろまな犬を飛び越える",
    "euc-kr, 빠른 갈색 여우가 게으른 개를 뛰어넘는다",
    "gb18030, 敏捷的棕色狐狸跳过了懒惰的狗",
    "big5, 敏捷的棕色狐狸跳過了懶惰的狗",
    "windows-1252, Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich",
    "utf-8, Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich",
    "utf-16le, Zwölf Boxkämpfer jagen Viktor quer über den Deich"
  })
  void guessesTheEncodingOfOneSentence(String label, String text) {
    var javaName = label.equals("windows-874") ? "x-windows-874" : label;
    var bytes = ("<html><body>" + text + "</body></html>").getBytes(Charset.forName(javaName));

    assertThat(SNIFFER.decode(bytes, null).text()).contains(text);
  }

  @Test
  void passesEveryRowOfHtml5lib() throws IOException {
    var wrong = new ArrayList<String>();
    var rows = 0;
    for (var file : List.of("tests1.dat", "tests2.dat", "test-yahoo-jp.dat")) {
      var all =
          Files.readString(
              Corpora.find("html-encoding/html5lib/encoding/" + file), StandardCharsets.ISO_8859_1);
      for (var row : ("\n" + all).split("\n#data\n", -1)) {
        var at = row.indexOf("\n#encoding\n");
        if (at < 0) continue;
        rows++;
        var expected = row.substring(at + 11).lines().findFirst().orElse("");
        var found = sniff(row.substring(0, at), "text/html");
        if (!found.equalsIgnoreCase(expected)) wrong.add(found + " for " + row);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(rows).isGreaterThan(80);
  }

  @Test
  void believesMetasWhereBrowsersDo() throws IOException { // WPT: html/syntax/charset
    var wrong = new ArrayList<String>();
    var files = 0;
    for (var file : Corpora.files("html-encoding/wpt-charset")) {
      if (!file.toString().endsWith(".html")) continue;
      var bytes = Files.readAllBytes(file);
      var head = new String(bytes, StandardCharsets.ISO_8859_1);
      if (!head.contains("match\"")) continue;
      files++;
      var matches = head.contains("rel=\"match\"");
      if (SNIFFER.decode(bytes, "text/html").text().contains("Test: ж") != matches) {
        wrong.add(file.getFileName().toString());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(files).isGreaterThan(20);
  }

  @Test
  void readsNoUtf32AsAWebPage() throws IOException { // WPT: encoding/utf-32
    for (var file : Corpora.files("html-encoding/wpt-encoding")) {
      var name = file.getFileName().toString();
      var type = name.endsWith(".xml") ? "application/xml" : "text/html";
      var decoded = SNIFFER.decode(Files.readAllBytes(file), type);
      if (name.startsWith("two-boms")) assertThat(decoded.text()).as(name).isEqualTo("\uFEFF");
      else assertThat(decoded.text()).as(name).doesNotContain("data-parsed");
    }
  }

  @Test
  void guessesBetterThanIcuAlone() throws IOException {
    var samples = samples();
    var whole = samples.stream().filter(sample -> isRight(sample, sample.bytes)).count();
    var bare = samples.stream().filter(sample -> isRight(sample, undeclared(sample.bytes))).count();
    var icu = samples.stream().filter(CharsetSnifferTest::isRightByIcu).count();
    LoggerFactory.getLogger(CharsetSnifferTest.class)
        .warn(
            "right encoding of {} texts: {} with their declarations, {} without; ICU4J {}",
            samples.size(),
            whole,
            bare,
            icu);

    assertThat(bare).isGreaterThan(icu).isGreaterThan(samples.size() * 97 / 100);
    assertThat(whole).isGreaterThanOrEqualTo(bare);
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Sample(String name, Encoding encoding, byte[] bytes) {}

  private static List<Sample> samples() throws IOException {
    var samples = new ArrayList<Sample>();
    var archive = Corpora.find("html-encoding/chardet-encoding-samples.tar.gz");
    try (var tar = new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(archive)))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (entry.isDirectory()) continue;
        var folder = entry.getName().substring(0, entry.getName().indexOf('/'));
        samples.add(new Sample(entry.getName(), encoding(folder), tar.readAllBytes()));
      }
    }
    return samples;
  }

  private static Encoding encoding(String folder) {
    var label = LANGUAGE.matcher(folder.replace("-sig", "")).replaceFirst("");
    return Encoding.named(label);
  }

  private static boolean isRight(Sample sample, byte[] bytes) {
    return SNIFFER.decode(bytes, null).text().equals(text(sample, bytes));
  }

  private static String text(Sample sample, byte[] bytes) {
    // "UTF-16" and "UTF-32" leave the order of bytes to their mark.
    if (sample.name.startsWith("UTF-16/")) return new String(bytes, StandardCharsets.UTF_16);
    var text = sample.encoding.decode(bytes, 0, bytes.length);
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static byte[] undeclared(byte[] bytes) {
    var text = new String(bytes, StandardCharsets.ISO_8859_1);
    return DECLARATION.matcher(text).replaceAll("xxxxxxxx$2").getBytes(StandardCharsets.ISO_8859_1);
  }

  private static boolean isRightByIcu(Sample sample) {
    var match = new CharsetDetector().setText(sample.bytes).detect();
    if (match == null) return false;
    var text =
        Encoding.forAnyLabel(match.getName().replace("-I", "")).orElse(Encoding.WINDOWS_1252);
    return text.decode(sample.bytes, 0, sample.bytes.length)
        .replace("\uFEFF", "")
        .equals(text(sample, sample.bytes).replace("\uFEFF", ""));
  }

  private static String sniff(String latin1, String type) {
    return SNIFFER.sniff(latin1.getBytes(StandardCharsets.ISO_8859_1), type).encoding().name();
  }
}
