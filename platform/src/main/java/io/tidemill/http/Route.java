package io.tidemill.http;

/// A method and a path, and who answers there.
///
/// @param path such as `/v1/jobs/{id}`; a last `{name...}` takes all that is left
/// @param maxBody bytes a body may have; 0 = as `http.max-body` says
public record Route(String method, String path, Access access, long maxBody, Handler handler) {
  public Route {
    if (!path.startsWith("/"))
      throw new IllegalArgumentException("path is " + path + ": expected /");
    if (maxBody < 0) throw new IllegalArgumentException("maxBody is " + maxBody);
  }

  public static Route get(String path, Handler handler) {
    return new Route("GET", path, Access.KEYED, 0, handler);
  }

  public static Route post(String path, Handler handler) {
    return new Route("POST", path, Access.KEYED, 0, handler);
  }

  public static Route put(String path, Handler handler) {
    return new Route("PUT", path, Access.KEYED, 0, handler);
  }

  public static Route patch(String path, Handler handler) {
    return new Route("PATCH", path, Access.KEYED, 0, handler);
  }

  public static Route delete(String path, Handler handler) {
    return new Route("DELETE", path, Access.KEYED, 0, handler);
  }

  /// The same route without the need of a key.
  public Route open() {
    return new Route(method, path, Access.OPEN, maxBody, handler);
  }

  /// The same route with its own limit for bodies.
  public Route withMaxBody(long bytes) {
    return new Route(method, path, access, bytes, handler);
  }
}
