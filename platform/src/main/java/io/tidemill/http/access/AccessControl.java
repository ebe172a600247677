package io.tidemill.http.access;

import io.tidemill.http.Access;
import io.tidemill.http.Identity;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import org.jspecify.annotations.Nullable;

/// Decides who may call which route: by what the caller may do, and by where a cookie comes from.
public final class AccessControl {
  private final ApiKeys keys;

  public AccessControl(ApiKeys keys) {
    this.keys = keys;
  }

  /// In or out, and who it was.
  public sealed interface Entry {
    Identity who();

    /// @param session null when it was no cookie that let somebody in
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
      case ApiKeys.Proof refused -> new Entry.Out(Identity.NOBODY, ApiKeys.refusal(refused));
    };
  }

  private static Entry enter(Identity who, ApiKeys.Proof.@Nullable Session session, Route route) {
    return who.refusal(route.access(), route.changes())
        .<Entry>map(problem -> new Entry.Out(who, Response.problem(problem)))
        .orElseGet(() -> new Entry.In(who, session));
  }

  /// The answer as it goes out: it makes a session last longer when it is time for that, and a
  /// stream of events ends with the session that asked for it.
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
