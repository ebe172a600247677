package io.tidemill.gateway.file;

import io.tidemill.http.Problem;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Routes;
import io.tidemill.s3.ObjectAddress;

/// Routes that answer with files of the object store.
interface FileRoutes extends Routes {
  FileDownload download();

  /// @return 404 when the object is gone
  default Response file(ObjectAddress object, Request request) {
    var given =
        new FileDownload.Conditions(
            request.method().equals("HEAD"),
            request.header("Range").orElse(""),
            request.header("If-Range").orElse(""),
            request.header("If-None-Match").orElse(""));
    return switch (download().of(object, given)) {
      case FileAnswer.Gone() -> Response.problem(404, "the file is no longer in the object store");
      case FileAnswer.Unchanged(var headers) -> new Response.Body(304, "", new byte[0], headers);
      case FileAnswer.TooShort(var size) ->
          Response.problem(Problem.of(416, "the file has %d bytes".formatted(size)))
              .withHeader("Content-Range", "bytes */" + size);
      case FileAnswer.Content(var isPart, var type, var body, var headers) ->
          new Response.Stream(isPart ? 206 : 200, type, body, headers);
    };
  }
}
