package io.tidemill.http.access;

import io.tidemill.content.text.Excerpt;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.json.Json;
import io.tidemill.observe.AuditEntry;
import io.tidemill.observe.AuditTrail;
import io.tidemill.observe.Traces;
import tools.jackson.core.JacksonException;

/// Appends every request that changes something, or was refused to, to the audit trail.
public final class AuditReporter {
  private static final int LONGEST_PATH = 500;
  private static final int LONGEST_DETAIL = 300;

  private final AuditTrail trail;

  public AuditReporter(AuditTrail trail) {
    this.trail = trail;
  }

  public void add(Request request, Route route, Response response) {
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

  // The reason of a refusal, or the location of what was made.
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
