package io.tidemill.http;

import io.tidemill.contract.Json;
import io.tidemill.observe.Traces;
import io.tidemill.store.redis.AuditEntry;
import io.tidemill.text.Excerpt;
import tools.jackson.core.JacksonException;

/// Tells the audit trail of every request that changes something or wanted to.
final class Audit {
  private static final int LONGEST_PATH = 500;
  private static final int LONGEST_DETAIL = 300;

  private final AuditTrail trail;

  Audit(AuditTrail trail) {
    this.trail = trail;
  }

  void add(Request request, Route route, Response response) {
    if (!route.isAudited()) return;
    var note = request.noted();
    var caller = note.caller() == null ? request.identity() : note.caller();
    trail.append(
        new AuditEntry(
            caller.who(),
            caller.isKnown() ? caller.role().wire() : "",
            request.remoteAddress(),
            route.method(),
            route.path(),
            Excerpt.of(request.target(), LONGEST_PATH),
            response.status(),
            Excerpt.of(note.detail().isEmpty() ? outcome(response) : note.detail(), LONGEST_DETAIL),
            Traces.current().map(trace -> trace.traceId()).orElse("")));
  }

  // Why not, or what came of it.
  private static String outcome(Response response) {
    if (response.status() < 400) return response.headers().getOrDefault("Location", "");
    if (!(response instanceof Response.Body body)) return "";
    try {
      return Json.parse(body.body()).path("detail").asString("");
    } catch (JacksonException notAProblem) {
      return "";
    }
  }
}
