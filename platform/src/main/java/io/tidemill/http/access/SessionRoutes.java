package io.tidemill.http.access;

import io.tidemill.http.Identity;
import io.tidemill.http.Problem;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.FieldNames;
import io.tidemill.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/// Signs browsers in and out: `/api/session`.
public final class SessionRoutes implements Routes {
  private static final FieldNames FIELDS = FieldNames.of("key");
  private static final String PATH = "/api/session";
  private static final int LONGEST_KEY = 1_024;
  private static final int MAX_BODY = 16 * 1024;

  private final ApiKeys keys;
  private final String version;

  public SessionRoutes(ApiKeys keys, String version) {
    this.keys = keys;
    this.version = version;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get(PATH, this::show).open(),
        Route.post(PATH, this::signIn).withMaxBody(MAX_BODY).open(),
        Route.delete(PATH, this::signOut).open());
  }

  /// `GET /api/session`
  Response show(Request request) {
    return switch (keys.proof(request)) {
      case ApiKeys.Proof.Session _ when !OriginCheck.isFromOwnPage(request) ->
          Response.ok(session(Optional.empty()));
      case ApiKeys.Proof.Known known -> Response.ok(session(Optional.of(known.who())));
      case ApiKeys.Proof.TooMany refused -> ApiKeys.refusal(refused);
      case ApiKeys.Proof _ -> Response.ok(session(Optional.empty()));
    };
  }

  private Object session(Optional<Identity> who) {
    return Json.object()
        .put("authentication", keys.required())
        .put("readOnly", keys.readOnly())
        .put("role", who.map(known -> known.role().wire()).orElse(null))
        .put("name", who.flatMap(Identity::name).orElse(null))
        .put("version", version);
  }

  /// `POST /api/session`
  Response signIn(Request request) {
    if (isForeign(request)) return foreign();
    if (!keys.required()) {
      return Response.problem(409, "nobody needs to sign in here: api.keys is empty");
    }
    String key;
    try {
      key = key(request.body());
    } catch (JacksonException notJson) {
      return Response.problem(400, "the body is " + Json.fault(notJson));
    } catch (IllegalArgumentException malformed) {
      return Response.problem(
          Problem.of(422, String.valueOf(malformed.getMessage())).with("field", "key"));
    }
    return switch (keys.signIn(request, key, isSecure(request))) {
      case ApiKeys.SignIn.Refused(var why) -> ApiKeys.refusal(why);
      case ApiKeys.SignIn.Done(var who, var cookie) -> {
        request.noteCaller(who);
        request.note("signed in");
        yield Response.noContent().withHeader("Set-Cookie", cookie);
      }
    };
  }

  private static String key(byte[] body) {
    var tree = Json.parse(body);
    if (!tree.isObject()) throw new IllegalArgumentException("the body must be a JSON object");
    FIELDS.requireKnown(tree);
    var key = tree.path("key").asString("").strip();
    if (!tree.path("key").isString() || key.isEmpty() || key.length() > LONGEST_KEY) {
      throw new IllegalArgumentException("key must be a text of 1 to 1024 characters");
    }
    return key;
  }

  /// `DELETE /api/session`
  Response signOut(Request request) {
    if (isForeign(request)) return foreign();
    if (keys.proof(request) instanceof ApiKeys.Proof.Known known) {
      request.noteCaller(known.who());
    }
    request.note("signed out");
    return Response.noContent().withHeader("Set-Cookie", SessionCookie.cleared(isSecure(request)));
  }

  // Pages of other origins, even allowed ones, can't sign in or out.
  private static boolean isForeign(Request request) {
    return request.header("Origin").isPresent() && !OriginCheck.isFromOwnPage(request);
  }

  private static Response foreign() {
    return Response.problem(403, "only our own pages can sign in and out");
  }

  // A false claim only makes the client's own cookie stricter, so proxies need not be trusted for
  // it.
  private static boolean isSecure(Request request) {
    return request
            .header("X-Forwarded-Proto")
            .map(String::strip)
            .filter("https"::equalsIgnoreCase)
            .isPresent()
        || request
            .header("Origin")
            .filter(origin -> origin.toLowerCase(Locale.ROOT).startsWith("https://"))
            .isPresent();
  }
}
