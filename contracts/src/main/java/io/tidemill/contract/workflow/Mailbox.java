package io.tidemill.contract.workflow;

import java.net.IDN;
import java.util.Optional;
import java.util.regex.Pattern;

/// A mail address with a name that may be empty.
///
/// Nothing in it can leave its header line (F52).
///
/// @param address ASCII; the domain in lower case, punycode where it was not ASCII
public record Mailbox(String name, String address) {
  /// What one has to look like, to be said behind the name of its field.
  public static final String EXPECTED = "must be like name@example.org or Name <name@example.org>";

  private static final int LONGEST = 254;
  private static final int LONGEST_LOCAL = 64;
  private static final int LONGEST_NAME = 200;
  private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  private static final Pattern LOCAL = Pattern.compile(ATOM + "(?:\\." + ATOM + ")*");
  private static final Pattern DOMAIN =
      Pattern.compile("[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*");

  /// Reads `name@example.org` or `Name <name@example.org>`; empty when it is neither.
  public static Optional<Mailbox> parse(String given) {
    if (hasControls(given)) return Optional.empty();
    var text = given.strip();
    if (!text.endsWith(">")) return address(text).map(address -> new Mailbox("", address));
    var open = text.lastIndexOf('<');
    if (open < 0 || open > LONGEST_NAME) return Optional.empty();
    var name = unquoted(text.substring(0, open).strip());
    if (name.indexOf('<') >= 0) return Optional.empty();
    return address(text.substring(open + 1, text.length() - 1))
        .map(address -> new Mailbox(name, address));
  }

  private static Optional<String> address(String text) {
    var at = text.lastIndexOf('@');
    if (at < 1 || at > LONGEST_LOCAL || text.length() > LONGEST) return Optional.empty();
    var local = text.substring(0, at);
    var domain = ascii(text.substring(at + 1));
    return LOCAL.matcher(local).matches() && DOMAIN.matcher(domain).matches()
        ? Optional.of(local + "@" + domain)
        : Optional.empty();
  }

  private static String ascii(String domain) {
    try {
      return IDN.toASCII(domain, IDN.USE_STD3_ASCII_RULES).toLowerCase(java.util.Locale.ROOT);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  private static String unquoted(String name) {
    return name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")
        ? name.substring(1, name.length() - 1)
        : name;
  }

  /// Whether something is in it that could begin a new header line, or hide in one.
  public static boolean hasControls(String text) {
    return text.codePoints().anyMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
  }

  /// Where the mail goes.
  public String domain() {
    return address.substring(address.lastIndexOf('@') + 1);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? address : name + " <" + address + ">";
  }
}
