package io.tidemill.http.server;

import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.Parameters;
import io.tidemill.http.Problem;
import io.tidemill.http.Problems;
import io.tidemill.http.Request;
import io.tidemill.http.RequestHeaders;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.access.AccessControl;
import io.tidemill.http.access.AuditReporter;
import io.tidemill.http.access.OriginCheck;
import io.tidemill.service.Unavailable;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The steps from a request to its response: origin, route, access, body, handler. Always ends in a
/// response; changes are audited.
final class RequestPipeline {
  private static final Logger log = LoggerFactory.getLogger(RequestPipeline.class);
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

  private final HttpConfig config;
  private final OriginCheck origins;
  private final AccessControl access;
  private final AuditReporter audit;

  RequestPipeline(
      HttpConfig config, OriginCheck origins, AccessControl access, AuditReporter audit) {
    this.config = config;
    this.origins = origins;
    this.access = access;
    this.audit = audit;
  }

  Response answer(Request request, Router.Match match, ServerRequest source) {
    var refusal = origins.refusal(request);
    if (refusal.isPresent()) {
      if (match instanceof Router.Match.Found(var route, var _)) {
        audit.add(request, route, refusal.get());
      }
      return refusal.get();
    }
    return switch (match) {
      case Router.Match.BadPath(var why) -> Response.problem(400, why);
      case Router.Match.Unknown() -> Response.problem(404, "there is nothing at this path");
      case Router.Match.WrongMethod(var _, var allowed) -> wrongMethod(request, allowed);
      case Router.Match.Found(var route, var params) ->
          route(request.withPathParams(params), route, source);
    };
  }

  private Response wrongMethod(Request request, Set<String> allowed) {
    if (OriginCheck.isPreflight(request)) return origins.preflight(request, allowed);
    var methods = String.join(", ", allowed);
    if (request.method().equals("OPTIONS"))
      return Response.noContent().withHeader("Allow", methods);
    return Response.problem(405, "this path knows " + methods).withHeader("Allow", methods);
  }

  private Response route(Request request, Route route, ServerRequest source) {
    var entry = access.enter(request, route);
    var known = request.by(entry.who());
    var response =
        switch (entry) {
          case AccessControl.Entry.Out(var _, var refusal) -> refusal;
          case AccessControl.Entry.In in -> access.leave(in, inside(known, route, source));
        };
    audit.add(known, route, response);
    return response;
  }

  private Response inside(Request request, Route route, ServerRequest source) {
    return switch (body(request, route, source)) {
      case RequestBody.Refused(var response) -> response;
      case RequestBody.Read(var bytes) -> handle(request.withBody(bytes), route);
    };
  }

  private RequestBody body(Request request, Route route, ServerRequest source) {
    var limit = route.maxBody() > 0 ? route.maxBody() : config.maxBody().bytes();
    var contentType =
        WITH_BODY.contains(request.method())
            ? request.header("Content-Type")
            : Optional.<String>empty();
    try {
      return RequestBody.of(source, contentType, limit);
    } catch (RequestException | IllegalArgumentException malformed) {
      log.debug("a body that is not valid HTTP", malformed);
      return new RequestBody.Refused(Response.problem(400, "the body is not valid HTTP"));
    } catch (IOException | RuntimeException gone) {
      throw new CloseConnectionException("the client left before its body was read", gone);
    }
  }

  private static Response handle(Request request, Route route) {
    try {
      return route.handler().handle(request);
    } catch (Parameters.Wrong wrong) {
      return Problems.of(wrong);
    } catch (RequestHeaders.Wrong wrong) {
      return Problems.of(wrong);
    } catch (Unavailable unavailable) {
      log.debug("{} {} is unavailable", route.method(), route.path(), unavailable);
      return Problems.of(unavailable);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Response.problem(503, "the server stops").withHeader("Retry-After", "1");
    } catch (Exception | LinkageError | StackOverflowError failed) {
      return failed(route, failed);
    }
  }

  /// Logs the cause; the caller gets its id in the log.
  private static Response failed(Route route, Throwable cause) {
    var errorId = UUID.randomUUID().toString();
    log.error("{} {} failed, error id {}", route.method(), route.path(), errorId, cause);
    return Response.problem(
        Problem.of(500, "something went wrong; the log has the error id").with("errorId", errorId));
  }
}
