package io.tidemill.http;

import java.util.Set;
import java.util.regex.Pattern;

/// The path under which a proxy shows the gateway (`http.base-path`).
///
/// Requests are served with and without it: proxies may remove it, and health checks on this
/// machine do not know it.
///
/// @param path such as `/tidemill`; empty for the root
public record BasePath(String path) {
  /// The gateway at the root.
  public static final BasePath ROOT = new BasePath("");

  private static final Pattern SHAPE = Pattern.compile("(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*");
  private static final Set<String> OURS =
      Set.of("api", "v1", "ui", "health", "metrics", "contracts", "mcp", "internal");

  static void check(String path) {
    if (!SHAPE.matcher(path).matches()) {
      throw new IllegalArgumentException(
          "http.base-path is %s: expected a path such as /tidemill, without / at its end"
              .formatted(path));
    }
    if (!path.isEmpty() && OURS.contains(path.split("/", -1)[1])) {
      throw new IllegalArgumentException(
          "http.base-path is %s: the gateway has paths of its own there, choose another"
              .formatted(path));
    }
  }

  /// What all paths are below: `/` without a base path.
  public String root() {
    return path.isEmpty() ? "/" : path;
  }

  /// A path of ours as clients see it.
  public String of(String own) {
    return path + own;
  }

  /// The path that routes know, of a request's path.
  public String strip(String given) {
    if (path.isEmpty() || !given.startsWith(path)) return given;
    var rest = given.substring(path.length());
    if (rest.isEmpty()) return "/";
    return rest.startsWith("/") ? rest : given;
  }

  /// The same response with the base path in `Location` and in the path of its cookie.
  public Response show(Response response) {
    if (path.isEmpty()) return response;
    var location = response.headers().get("Location");
    var moved =
        location == null || !location.startsWith("/")
            ? response
            : response.withHeader("Location", of(location));
    var cookie = moved.headers().get("Set-Cookie");
    return cookie == null
        ? moved
        : moved.withHeader("Set-Cookie", cookie.replace("; Path=/;", "; Path=" + path + ";"));
  }
}
