package io.tidemill.http;

import io.tidemill.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// How a server writes its problem documents.
public enum ProblemForm {
  /// As RFC 9457 has them.
  STANDARD,
  /// With the text in the field `error`, too, where clients of other programs look for it.
  WITH_ERROR_FIELD;

  /// The same response in this form.
  public Response show(Response response) {
    return switch (this) {
      case STANDARD -> response;
      case WITH_ERROR_FIELD -> withErrorField(response);
    };
  }

  private static Response withErrorField(Response response) {
    if (!(response instanceof Response.Body body)
        || !body.contentType().equals(Problem.CONTENT_TYPE)
        || !(Json.parse(body.body()) instanceof ObjectNode problem)) {
      return response;
    }
    problem.set("error", problem.path("detail"));
    return new Response.Body(
        body.status(), body.contentType(), Json.bytes(problem), body.headers());
  }
}
