package io.tidemill.http.server;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import java.util.List;

/// Any request line leads to a route, to none, or to a complaint; never out of its folder.
public final class PathTarget {
  private static final Router ROUTER =
      new Router(
          List.of(
              Route.get("/v1/jobs/{id}", _ -> Response.noContent()),
              Route.get("/v1/jobs/{id}/events", _ -> Response.noContent()),
              Route.post("/v1/jobs", _ -> Response.noContent()),
              Route.get("/files/{path...}", _ -> Response.noContent())));

  private PathTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var method = data.pickValue(new String[] {"GET", "POST", "HEAD", "BREW"});
    var target = data.consumeRemainingAsString();
    if (ROUTER.match(method, target) instanceof Router.Match.Found(var _, var params)) {
      for (var value : params.values()) {
        if (value.indexOf('\0') >= 0 || List.of(value.split("/", -1)).contains("..")) {
          throw new AssertionError(value);
        }
      }
    }
    try {
      Request.of(method, "/x?" + target);
    } catch (IllegalArgumentException badQuery) {
      if (badQuery.getMessage() == null) throw badQuery;
    }
  }
}
