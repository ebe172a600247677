package io.tidemill.http.access;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/// Settings of access, read from keys `api.*`.
@Section("api")
public record ApiConfig(
    @Setting(
            value = "",
            doc =
                "Keys that callers must show: `ROLE:NAME:KEY` with the role viewer, operator or admin, or a bare key, which is an admin's, with commas between several; `sha256:HEX` in place of a key keeps it out of the settings. Empty = no keys, allowed only while `http.host` is loopback.",
            secret = true)
        List<String> keys,
    @Setting(
            value = "false",
            doc = "Whether this gateway only shows: whatever changes something gets 403.")
        boolean readOnly,
    @Setting(
            value = "7d",
            doc =
                "How long a browser that signed in with a key stays signed in while nobody uses it.")
        Duration session,
    @Setting(value = "30d", doc = "How long it stays signed in at most, however much it is used.")
        Duration sessionLimit,
    @Setting(value = "10000", doc = "Entries of the audit trail that are kept, the newest ones.")
        int auditKeep) {
  private static final Duration LEAST_SESSION = Duration.ofMinutes(1);
  private static final Duration MOST_SESSION = Duration.ofDays(400);
  private static final int MOST_AUDIT = 1_000_000;

  public ApiConfig {
    keys = List.copyOf(keys);
    check(keys);
    check("api.session", session);
    check("api.session-limit", sessionLimit);
    if (auditKeep < 1 || auditKeep > MOST_AUDIT) {
      throw new IllegalArgumentException(
          "api.audit-keep is " + auditKeep + ": expected 1 to " + MOST_AUDIT);
    }
  }

  private static void check(String key, Duration session) {
    if (session.compareTo(LEAST_SESSION) < 0 || session.compareTo(MOST_SESSION) > 0) {
      throw new IllegalArgumentException(key + " is " + session + ": expected 1m to 400d");
    }
  }

  private static void check(List<String> keys) {
    var marks = new HashSet<String>();
    var names = new HashSet<String>();
    for (var entry : keys) {
      var key = parse(entry);
      var name = key.identity().name();
      if (name.isPresent() && !names.add(name.get())) {
        throw new IllegalArgumentException(
            "api.keys has two keys for " + name.get() + ": expected one for each name");
      }
      if (!marks.add(key.mark())) {
        throw new IllegalArgumentException(
            "api.keys has the key of " + key.identity().who() + " twice: expected it once");
      }
    }
  }

  private static ApiKey parse(String entry) {
    try {
      return ApiKey.parse(entry);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("api.keys " + wrong.getMessage(), wrong);
    }
  }

  /// The parsed entries.
  List<ApiKey> holders() {
    return keys.stream().map(ApiConfig::parse).toList();
  }

  @Override
  public String toString() {
    return "ApiConfig[" + keys.size() + " keys, readOnly=" + readOnly + "]";
  }
}
