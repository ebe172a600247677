package io.tidemill.http;

import java.net.URI;
import java.net.URISyntaxException;

/// Where people find the gateway: the beginning of links in results, mails and webhooks.
///
/// @param url such as `https://ops.example.org`, without a path; empty = not known, so that links
///   are paths on whatever host the reader has the gateway at
public record PublicUrl(String url, BasePath base) {
  /// The gateway at the root of a host that nobody has named.
  public static final PublicUrl UNKNOWN = new PublicUrl("", BasePath.ROOT);

  /// As `http.public-url` and `http.base-path` say.
  public static PublicUrl of(HttpConfig config) {
    var base = new BasePath(config.basePath());
    return new PublicUrl(origin(config.publicUrl(), base), base);
  }

  // The base path may stand behind the host or be left out.
  static String origin(String given, BasePath base) {
    if (given.isEmpty()) return "";
    var parsed = parse(given);
    var path = parsed.getRawPath().replaceFirst("/$", "");
    if (!path.isEmpty() && !path.equals(base.path())) {
      throw new IllegalArgumentException(
          "http.public-url is %s: its path is not that of http.base-path, set both to the same"
              .formatted(given));
    }
    return parsed.getScheme() + "://" + parsed.getRawAuthority();
  }

  private static URI parse(String given) {
    try {
      var parsed = new URI(given);
      var isWeb = "http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme());
      var isBare =
          parsed.getRawUserInfo() == null
              && parsed.getRawQuery() == null
              && parsed.getRawFragment() == null;
      if (isWeb && isBare && parsed.getHost() != null) return parsed;
    } catch (URISyntaxException notAUri) {
      // Thrown below.
    }
    throw new IllegalArgumentException(
        "http.public-url is %s: expected an address such as https://ops.example.org"
            .formatted(given));
  }

  /// Whether links are whole URLs, which open anywhere.
  public boolean isKnown() {
    return !url.isEmpty();
  }

  /// A link to a path of ours.
  public String of(String path) {
    return url + base.of(path);
  }
}
