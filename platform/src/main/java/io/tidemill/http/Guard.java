package io.tidemill.http;

/// Decides who may call which route: by the caller's role, by where a cookie comes from, and by
/// whether anything may be changed here at all.
final class Guard {
  private final ApiKeys keys;

  Guard(ApiKeys keys) {
    this.keys = keys;
  }

  /// In or out, and who it was.
  sealed interface Entry {
    Identity who();

    record In(Identity who) implements Entry {}

    record Out(Identity who, Response refusal) implements Entry {}
  }

  Entry enter(Request request, Route route) {
    if (route.access() == Access.OPEN) return new Entry.In(Identity.NOBODY);
    return switch (keys.proof(request)) {
      case ApiKeys.Proof.Known(var who, var byCookie)
          when byCookie && !Gate.isFromOwnPage(request) ->
          new Entry.Out(
              who,
              Response.problem(
                  403,
                  "a session counts only in our own pages: the Origin header must name this host"));
      case ApiKeys.Proof.Known(var who, var _) -> enter(who, route);
      case ApiKeys.Proof refused -> new Entry.Out(Identity.NOBODY, ApiKeys.refusal(refused));
    };
  }

  private Entry enter(Identity who, Route route) {
    if (!who.role().includes(route.access())) {
      var needed = route.access().wire();
      return new Entry.Out(
          who,
          Response.problem(
              Problem.of(
                      403,
                      "this needs the role %s; yours is %s".formatted(needed, who.role().wire()))
                  .with("needs", needed)));
    }
    if (keys.readOnly() && route.changes()) {
      return new Entry.Out(
          who,
          Response.problem(
              Problem.of(403, "nothing can be changed here: api.read-only is set")
                  .with("readOnly", true)));
    }
    return new Entry.In(who);
  }
}
