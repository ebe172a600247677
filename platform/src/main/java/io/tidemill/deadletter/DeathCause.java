package io.tidemill.deadletter;

import io.tidemill.content.fingerprint.Digest;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Why dead letters died, without what differs from one to the next: those of one cause belong
/// together.
///
/// @param id 16 hexadecimal digits, the same in every process
/// @param text the message with placeholders where numbers, ids, addresses and the like stood
public record DeathCause(String id, String text) {
  private static final int LONGEST = 1_000;
  private static final int ID_BYTES = 8;

  // Tried from first to last at each place; no part can be matched in two ways, so that no text
  // takes long.
  private static final Pattern VARIABLE =
      Pattern.compile(
          String.join(
              "|",
              "(?<url>\\b[A-Za-z][A-Za-z0-9+.-]{1,15}+://[^\\s\"'<>()\\[\\]{}`]++)",
              "(?<text>\"[^\"]*+\"|“[^”]*+”|«[^»]*+»|`[^`]*+`|(?<![\\w'])'[^']*+'(?!\\w))",
              "(?<email>\\b[\\w.+-]{1,64}+@[A-Za-z0-9-]++(?:\\.[A-Za-z0-9-]++)++)",
              "(?<id>\\b\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}\\b)",
              "(?<time>\\b\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d++)?)?"
                  + "(?:Z|[+-]\\d\\d:?\\d\\d)?)?(?![\\d-])|\\b\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d++)?)",
              "(?<address>\\b0x\\p{XDigit}++|(?<=[\\w$])@\\p{XDigit}{4,16}+\\b)",
              "(?<host>\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?+(?![\\w.]\\d)"
                  + "|\\[[\\p{XDigit}:]{2,45}+\\](?::\\d{1,5}+)?+"
                  + "|\\blocalhost(?::\\d{1,5}+)?+\\b"
                  + "|\\b[A-Za-z0-9-]{1,63}+(?:\\.[A-Za-z0-9-]{1,63}+){0,10}+:\\d{2,5}+\\b"
                  + "|(?<![\\w./-])(?:[a-z0-9-]{1,63}\\.){1,10}"
                  + "(?:com|org|net|io|dev|app|edu|gov|info|biz|test|example|invalid|local|internal"
                  + "|de|uk|fr|eu|nl|ch|at|it|es|pl|cz|se|jp|cn|ru|us|ca|au|in|br)(?![\\w-]|\\.\\w))",
              "(?<hash>\\b(?=[0-9]*+[A-Fa-f])(?=[A-Fa-f]*+[0-9])\\p{XDigit}{8,}+\\b)",
              "(?<key>\\b(?=[A-Za-z_-]{0,64}+[0-9])(?=[0-9_-]{0,64}+[A-Za-z])[A-Za-z0-9]{16,}+\\b)",
              "(?<number>(?<![A-Za-z_0-9])[0-9]++(?:[.,][0-9]++)*+(?:[eE][+-]?+[0-9]++)?+)"));

  private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cntrl}]++");

  /// The cause of a dead letter of a source that died for this reason, with this message.
  public static DeathCause of(String source, String reason, String message) {
    var text = normalised(message);
    return new DeathCause(
        Digest.sha256().add(source + "\0" + reason + "\0" + text).hex(ID_BYTES), text);
  }

  static String normalised(String message) {
    var plain = BLANKS.matcher(ByteText.cut(message, LONGEST)).replaceAll(" ").strip();
    return VARIABLE.matcher(plain).replaceAll(DeathCause::placeholder);
  }

  private static String placeholder(MatchResult found) {
    for (var name : found.namedGroups().keySet()) {
      if (found.group(name) == null) continue;
      return switch (name) {
        case "address" -> found.group().startsWith("@") ? "@<address>" : "<address>";
        case "key" -> "<id>";
        default -> "<" + name + ">";
      };
    }
    return found.group();
  }
}
