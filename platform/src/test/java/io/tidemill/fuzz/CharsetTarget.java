package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.content.charset.CharsetSniffer;
import io.tidemill.content.language.LanguageDetector;

/// Bodies in any encoding: each is decoded, and in no more characters than it has bytes.
public final class CharsetTarget {
  private static final String[] TYPES = {
    "text/html", "text/plain", "application/xml", "", "text/html; charset=\"x\\\"", "a/b;charset"
  };
  private static final CharsetSniffer SNIFFER = new CharsetSniffer(new LanguageDetector());

  private CharsetTarget() {}

  /// Loads what the first body loads, which is not the first input's fault.
  public static void fuzzerInitialize() {
    SNIFFER.decode(new byte[] {(byte) 0xCD, (byte) 0xE5, (byte) 0xF2}, "text/html");
  }

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var type = data.consumeBoolean() ? data.pickValue(TYPES) : data.consumeString(40);
    var body = data.consumeRemainingAsBytes();
    var decoded = SNIFFER.decode(body, type);
    if (decoded.text().length() > body.length * 2) {
      throw new AssertionError(decoded.encoding() + ": " + decoded.text().length());
    }
  }
}
