package io.tidemill.dashboard;

import io.tidemill.audit.AuditLog;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// The audit log: `/api/audit`.
public final class AuditRoutes implements Routes {
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 1_000;
  private static final int LONGEST = 200;
  private static final Pattern ID = Pattern.compile("\\d{1,15}-\\d{1,10}");

  private final AuditLog audit;

  public AuditRoutes(AuditLog audit) {
    this.audit = audit;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/api/audit", this::list).admin());
  }

  /// `GET /api/audit?limit=&before=&who=&action=`
  Response list(Request request) {
    var parameters = new Parameters(request);
    var limit = parameters.number("limit", LIMIT, 1, LIMIT_MOST);
    var before = parameters.text("before", LONGEST);
    if (!before.isEmpty() && !ID.matcher(before).matches()) {
      throw new Parameters.Wrong("before", "the next of another page");
    }
    var who = parameters.text("who", LONGEST);
    var action = parameters.text("action", LONGEST);
    var found = StoreRetry.answer(() -> audit.newest(before, who, action, limit));
    var answer = Json.object();
    var entries = answer.putArray("audit");
    found.entries().forEach(stored -> entries.add(row(stored)));
    if (found.next() != null) answer.put("next", found.next());
    return Response.ok(answer);
  }

  private static ObjectNode row(AuditLog.StoredEntry stored) {
    var row = Json.object().put("id", stored.id()).put("at", stored.at().toEpochMilli());
    row.setAll(stored.entry().encode());
    if (stored.entry().role().isEmpty()) row.putNull("role");
    return row;
  }
}
