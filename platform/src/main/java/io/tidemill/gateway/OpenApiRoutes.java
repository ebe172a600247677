package io.tidemill.gateway;

import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import java.util.List;

/// The HTTP interface, for programs: `/openapi.json`.
public final class OpenApiRoutes implements Routes {
  private final String version;

  public OpenApiRoutes(String version) {
    this.version = version;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/openapi.json", _ -> Response.document(openApi())).open());
  }

  private byte[] openApi() {
    return JsonDocument.bytes("openapi.json", version);
  }
}
