package io.tidemill.http;

/// A method and a path with their handler.
///
/// @param path such as `/v1/jobs/{id}`; a last `{name...}` takes all that is left
/// @param access the role that it needs: by default viewer for GET, else operator
/// @param maxBody bytes a body may have; 0 = as `http.max-body` says
/// @param frequent whether it is called too often to be audited
/// @param followed whether people come to it by links, perhaps before they have signed in
public record Route(
    String method,
    String path,
    Access access,
    long maxBody,
    boolean frequent,
    boolean followed,
    Handler handler) {
  public Route {
    if (!path.startsWith("/"))
      throw new IllegalArgumentException("path is " + path + ": expected /");
    if (maxBody < 0) throw new IllegalArgumentException("maxBody is " + maxBody);
  }

  public static Route get(String path, Handler handler) {
    return of("GET", path, Access.VIEWER, handler);
  }

  public static Route post(String path, Handler handler) {
    return of("POST", path, Access.OPERATOR, handler);
  }

  public static Route put(String path, Handler handler) {
    return of("PUT", path, Access.OPERATOR, handler);
  }

  public static Route patch(String path, Handler handler) {
    return of("PATCH", path, Access.OPERATOR, handler);
  }

  public static Route delete(String path, Handler handler) {
    return of("DELETE", path, Access.OPERATOR, handler);
  }

  private static Route of(String method, String path, Access access, Handler handler) {
    return new Route(method, path, access, 0, false, false, handler);
  }

  /// The same route without a key.
  public Route open() {
    return with(Access.OPEN);
  }

  /// The same route for viewers: it only reads, whatever its method.
  public Route viewer() {
    return with(Access.VIEWER);
  }

  /// The same route for admins alone.
  public Route admin() {
    return with(Access.ADMIN);
  }

  private Route with(Access other) {
    return new Route(method, path, other, maxBody, frequent, followed, handler);
  }

  /// The same route with its own limit for bodies.
  public Route withMaxBody(long bytes) {
    return new Route(method, path, access, bytes, frequent, followed, handler);
  }

  /// The same route without audit entries: for calls that programs make hundreds of times a second
  /// and that leave a record of their own. They would push everything else out of the trail.
  public Route unaudited() {
    return new Route(method, path, access, maxBody, true, followed, handler);
  }

  /// The same route for links in mails: a browser without a session is led to the dashboard, which
  /// asks for a key and goes on to what the link names.
  public Route forLinks() {
    return new Route(method, path, access, maxBody, frequent, true, handler);
  }

  /// Whether a call changes something beyond the caller's own session.
  public boolean changes() {
    return !isGet() && access.includes(Access.OPERATOR);
  }

  /// Whether calls are audited: changes, and signing in and out.
  public boolean isAudited() {
    return !frequent && !isGet() && access != Access.VIEWER;
  }

  private boolean isGet() {
    return method.equals("GET");
  }
}
