package io.tidemill.content.charset;

import io.tidemill.content.language.LanguageDetector;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Guesses an encoding from the bytes: what has a pattern of its own by that, all others by asking
/// in which of them the words are most like words of a language.
final class CharsetGuess {
  private static final int SAMPLE = 4_000;
  private static final int FEWEST_PER_FAULT = 10;

  /// An encoding and what speaks against it before anything is read.
  private record Candidate(Encoding encoding, double handicap) {}

  // Of equals the first wins: without a byte of the control range, the ISO one.
  private static final List<Candidate> CANDIDATES = candidates();

  private final LanguageDetector languages;

  CharsetGuess(LanguageDetector languages) {
    this.languages = languages;
  }

  private static List<Candidate> candidates() {
    var list = new ArrayList<Candidate>();
    add(list, 0, "windows-1252");
    add(list, 4, "iso-8859-2", "windows-1250", "windows-1254", "windows-1257");
    add(
        list,
        12,
        "windows-1258",
        "windows-1251",
        "koi8-r",
        "koi8-u",
        "iso-8859-5",
        "iso-8859-7",
        "windows-1253");
    add(list, 12, "windows-1255", "iso-8859-8", "windows-1256", "iso-8859-6", "windows-874");
    add(list, 12, "shift_jis", "euc-jp", "euc-kr", "gb18030", "big5");
    add(list, 20, "ibm866", "x-mac-cyrillic", "ibm855", "johab", "macintosh", "iso-8859-15");
    return List.copyOf(list);
  }

  private static void add(List<Candidate> list, double handicap, String... names) {
    for (var name : names) list.add(new Candidate(Encoding.named(name), handicap));
  }

  /// Whether there is nothing but ASCII characters, so that the encoding makes no difference.
  boolean isPlainAscii(byte[] body) {
    for (var b : body) if (b <= 0 || b == 0x1B) return false;
    return true;
  }

  /// Whether it is UTF-8 without a fault, or cut off within its last character.
  boolean isUtf8(byte[] body) {
    return Utf8Count.of(body).faults() == 0;
  }

  /// The most likely encoding.
  ///
  /// @param allUnicode also those that browsers don't read
  Encoding of(byte[] body, boolean allUnicode) {
    var wide = wide(body, allUnicode);
    if (wide != null) return wide;
    var utf8 = Utf8Count.of(body);
    if (utf8.faults() == 0 && utf8.characters() > 0) return Encoding.UTF_8;
    var escaped = utf8.characters() + utf8.faults() == 0 ? byEscape(body, allUnicode) : null;
    if (escaped != null) return escaped;
    if (utf8.characters() > utf8.faults() * FEWEST_PER_FAULT) return Encoding.UTF_8;
    return byWords(sample(body));
  }

  // Latin text in two or four bytes a character is full of zeros, all at the same places.
  private static @Nullable Encoding wide(byte[] body, boolean allUnicode) {
    var zeros = new int[4];
    var length = Math.min(body.length, SAMPLE) & ~3;
    for (var i = 0; i < length; i++) if (body[i] == 0) zeros[i & 3]++;
    var each = length / 4;
    if (each == 0) return null;
    if (zeros[0] == each && zeros[1] >= each * 0.9) return wide(allUnicode, "utf-32be");
    if (zeros[3] == each && zeros[2] >= each * 0.9) return wide(allUnicode, "utf-32le");
    var even = zeros[0] + zeros[2];
    var odd = zeros[1] + zeros[3];
    if (even > length / 8 && even > odd * 4) return Encoding.UTF_16BE;
    if (odd > length / 8 && odd > even * 4) return Encoding.UTF_16LE;
    return null;
  }

  private static Encoding wide(boolean allUnicode, String name) {
    return allUnicode ? Encoding.named(name) : Encoding.WINDOWS_1252;
  }

  private static @Nullable Encoding byEscape(byte[] body, boolean all) {
    for (var i = 0; i + 3 < body.length; i++) {
      if (body[i] != 0x1B) continue;
      var a = body[i + 1];
      var b = body[i + 2];
      var c = body[i + 3];
      if ((a == '$' && (b == 'B' || b == '@')) || (a == '(' && (b == 'J' || b == 'I'))) {
        return Encoding.named("iso-2022-jp");
      }
      if (all && a == '$' && b == ')' && c == 'C') return encoding("ISO-2022-KR");
      if (all && a == '$' && b == ')' && (c == 'A' || c == 'G')) return encoding("ISO-2022-CN");
    }
    return null;
  }

  private static Encoding encoding(String name) {
    return Encoding.forAnyLabel(name).orElse(Encoding.WINDOWS_1252);
  }

  // Words with something beside ASCII in them. No byte below `@` is part of a longer character in
  // any of the candidates (but GB18030's rarest), so words can be cut there.
  private static byte[] sample(byte[] body) {
    var out = new ByteArrayOutputStream(SAMPLE);
    var start = 0;
    var high = false;
    for (var i = 0; i <= body.length && out.size() < SAMPLE; i++) {
      var b = i < body.length ? body[i] : ' ';
      if (b < 0) high = true;
      if (b < 0 || b >= '@') continue;
      if (high) {
        out.write(body, start, Math.min(i - start, SAMPLE));
        out.write(' ');
      }
      start = i + 1;
      high = false;
    }
    return out.toByteArray();
  }

  private Encoding byWords(byte[] sample) {
    var best = CANDIDATES.getFirst();
    var most = Double.NEGATIVE_INFINITY;
    for (var candidate : CANDIDATES) {
      var text = candidate.encoding().decode(sample, 0, sample.length);
      var likelihood = languages.fluency(text) - candidate.handicap();
      if (likelihood > most) {
        most = likelihood;
        best = candidate;
      }
    }
    return best.encoding();
  }
}
