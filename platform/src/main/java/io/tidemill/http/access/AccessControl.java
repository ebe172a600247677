package io.tidemill.http.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.http.Access;
import io.tidemill.http.Identity;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/// Decides whether a caller may use a route: by its role, and for cookies by the origin of the
/// page.
public final class AccessControl {
  private final ApiKeys keys;

  public AccessControl(ApiKeys keys) {
    this.keys = keys;
  }

  /// Whether a request is admitted.
  public sealed interface Entry {
    Identity who();

    /// @param session null when the caller has no cookie
    record In(Identity who, ApiKeys.Proof.@Nullable Session session) implements Entry {}

    record Out(Identity who, Response refusal) implements Entry {}
  }

  public Entry enter(Request request, Route route) {
    if (route.access() == Access.OPEN) return new Entry.In(Identity.NOBODY, null);
    return switch (keys.proof(request)) {
      case ApiKeys.Proof.Session session when !OriginCheck.isFromOwnPage(request) ->
          new Entry.Out(
              session.who(),
              Response.problem(
                  403,
                  "a session counts only in our own pages: the Origin header must name this host"));
      case ApiKeys.Proof.Session session -> enter(session.who(), session, route);
      case ApiKeys.Proof.Key(var who) -> enter(who, null, route);
      case ApiKeys.Proof refused ->
          new Entry.Out(Identity.NOBODY, refusal(request, route, ApiKeys.refusal(refused)));
    };
  }

  // A link in a page of another site brings no cookie along, even of somebody who is signed in.
  private static Response refusal(Request request, Route route, Response refusal) {
    var isBrowser = request.header("Accept").orElse("").contains("text/html");
    if (!route.followed() || !isBrowser || refusal.status() != 401) return refusal;
    var target = URLEncoder.encode(request.path(), UTF_8);
    return Response.noContent(303).withHeader("Location", "/#/open?path=" + target);
  }

  private static Entry enter(Identity who, ApiKeys.Proof.@Nullable Session session, Route route) {
    return who.refusal(route.access(), route.changes())
        .<Entry>map(problem -> new Entry.Out(who, Response.problem(problem)))
        .orElseGet(() -> new Entry.In(who, session));
  }

  /// Renews the session's cookie when it is time, and lets an event stream end with its session.
  public Response leave(Entry.In entry, Response answer) {
    var session = entry.session();
    if (session == null) return answer;
    var limited =
        answer instanceof Response.Events events
            ? events.until(session.endsAt(), keys.clock())
            : answer;
    return session
        .renewed()
        .map(cookie -> limited.withHeader("Set-Cookie", cookie))
        .orElse(limited);
  }
}
