package io.tidemill.http;

import java.util.Optional;

/// Decides who may call which route: by what the caller may do, and by where a cookie comes from.
final class Guard {
  private final ApiKeys keys;

  Guard(ApiKeys keys) {
    this.keys = keys;
  }

  /// In or out, and who it was.
  sealed interface Entry {
    Identity who();

    /// @param cookie the `Set-Cookie` that makes the session last longer, when it is time for that
    record In(Identity who, Optional<String> cookie) implements Entry {}

    record Out(Identity who, Response refusal) implements Entry {}
  }

  Entry enter(Request request, Route route) {
    if (route.access() == Access.OPEN) return new Entry.In(Identity.NOBODY, Optional.empty());
    return switch (keys.proof(request)) {
      case ApiKeys.Proof.Session(var who, var _) when !Gate.isFromOwnPage(request) ->
          new Entry.Out(
              who,
              Response.problem(
                  403,
                  "a session counts only in our own pages: the Origin header must name this host"));
      case ApiKeys.Proof.Session(var who, var renewed) -> enter(who, renewed, route);
      case ApiKeys.Proof.Key(var who) -> enter(who, Optional.empty(), route);
      case ApiKeys.Proof refused -> new Entry.Out(Identity.NOBODY, ApiKeys.refusal(refused));
    };
  }

  private static Entry enter(Identity who, Optional<String> cookie, Route route) {
    return who.refusal(route.access(), route.changes())
        .<Entry>map(problem -> new Entry.Out(who, Response.problem(problem)))
        .orElseGet(() -> new Entry.In(who, cookie));
  }
}
