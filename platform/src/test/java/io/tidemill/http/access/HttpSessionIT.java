package io.tidemill.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.RunningServer;
import io.tidemill.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpSessionIT {
  private static final List<String> KEYS =
      List.of("viewer:kim:one", "operator:bob:two", "admin:alice:three");

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-04T01:09:27Z"));
  private final Route read = Route.get("/read", r -> Response.text(200, r.identity().who()));
  private final Route ask = Route.post("/ask", _ -> Response.noContent()).viewer();
  private final Route change =
      Route.post(
          "/change/{id}",
          request -> {
            request.note("changed " + request.pathParam("id"));
            return Response.noContent();
          });
  private final Route often = Route.post("/often", _ -> Response.noContent()).unaudited();
  private final Route trail = Route.get("/trail", _ -> Response.noContent()).admin();

  @ParameterizedTest
  @CsvSource({
    "GET,  /read,     200, 200, 200, ''",
    "POST, /ask,      204, 204, 204, ''",
    "POST, /change/1, 403, 204, 204, operator",
    "POST, /often,    403, 204, 204, operator",
    "GET,  /trail,    403, 403, 204, admin"
  })
  void aRoleMayDoWhatItIncludes(
      String method, String path, int viewer, int operator, int admin, String needs) {
    try (var server = server(KEYS, false)) {
      var low = send(server, method, path, "X-Api-Key", "one");
      assertThat(low.statusCode()).isEqualTo(viewer);
      assertThat(send(server, method, path, "X-Api-Key", "two").statusCode()).isEqualTo(operator);
      assertThat(send(server, method, path, "X-Api-Key", "three").statusCode()).isEqualTo(admin);
      assertThat(send(server, method, path).statusCode()).isEqualTo(401);
      if (low.statusCode() == 403) {
        assertThat(Json.parse(low.body()).get("needs").stringValue()).isEqualTo(needs);
      }
    }
  }

  @Test
  void readOnlyKeepsEverythingAsItIs() {
    for (var keys : List.of(KEYS, List.<String>of())) {
      try (var server = server(keys, true)) {
        var refused = send(server, "POST", "/change/1", "X-Api-Key", "three");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("api.read-only", "\"readOnly\":true");
        assertThat(send(server, "POST", "/ask", "X-Api-Key", "three").statusCode()).isEqualTo(204);
        assertThat(send(server, "GET", "/read", "X-Api-Key", "three").statusCode()).isEqualTo(200);
        assertThat(session(server)).contains("\"readOnly\":true");
      }
    }
    try (var server = server(KEYS, true)) {
      var cookie = signIn(server, "three");
      assertThat(send(server, "GET", "/read", "Cookie", cookie).body()).isEqualTo("alice");
      assertThat(send(server, "DELETE", "/api/session", "Cookie", cookie).statusCode())
          .isEqualTo(204);
    }
  }

  @Test
  void everybodyIsAnAdminWithoutKeys() {
    try (var server = server(List.of(), false)) {
      assertThat(session(server))
          .isEqualTo(
              "{\"authentication\":false,\"readOnly\":false,\"role\":\"admin\",\"name\":null,"
                  + "\"version\":\"0.1.0\"}");
      assertThat(send(server, "GET", "/trail").statusCode()).isEqualTo(204);
      assertThat(server.post("/api/session", "{\"key\":\"x\"}").statusCode()).isEqualTo(409);
    }
  }

  @Test
  void aBrowserSignsInAndOut() {
    try (var server = server(KEYS, false)) {
      assertThat(session(server)).contains("\"authentication\":true", "\"role\":null");

      var answer = server.post("/api/session", "{\"key\":\" two\\n\"}");
      assertThat(answer.statusCode()).isEqualTo(204);
      var set = answer.headers().firstValue("Set-Cookie").orElseThrow();
      assertThat(set)
          .matches("tidemill-session=[^;]+; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800");
      var cookie = set.split(";", 2)[0];
      assertThat(session(server, "Cookie", "other=1; " + cookie))
          .contains("\"role\":\"operator\"", "\"name\":\"bob\"");
      assertThat(send(server, "GET", "/read", "Cookie", cookie).body()).isEqualTo("bob");

      var out = send(server, "DELETE", "/api/session", "Cookie", cookie);
      assertThat(out.statusCode()).isEqualTo(204);
      assertThat(out.headers().firstValue("Set-Cookie"))
          .contains("tidemill-session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");

      now.updateAndGet(instant -> instant.plus(Duration.ofDays(7)));
      var ended = send(server, "GET", "/read", "Cookie", cookie);
      assertThat(ended.statusCode()).isEqualTo(401);
      assertThat(ended.body()).contains("sign in again");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "X-Forwarded-Proto, https, true",
    "X-Forwarded-Proto, HTTPS, true",
    "X-Forwarded-Proto, http, false",
    "X-Other, https, false"
  })
  void theCookieIsSecureWhereTheBrowserCameByHttps(String name, String value, boolean secure) {
    try (var server = server(KEYS, false)) {
      var answer = server.post("/api/session", "{\"key\":\"one\"}", name, value);

      var cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
      assertThat(cookie.endsWith("; Secure")).isEqualTo(secure);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', 400",
    "'[]', 422",
    "'{}', 422",
    "'{\"key\":7}', 422",
    "'{\"key\":\"\"}', 422",
    "'{\"key\":\"wrong\"}', 401"
  })
  void whatIsNoKeyIsRefused(String body, int status) {
    try (var server = server(KEYS, false)) {
      var answer = server.post("/api/session", body);

      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
      if (status == 422) assertThat(answer.body()).contains("\"field\":\"key\"");
    }
  }

  @Test
  void aSessionLastsLongerWhileItIsUsed() {
    try (var server = server(KEYS, false)) {
      var cookie = signIn(server, "one");
      assertThat(send(server, "GET", "/read", "Cookie", cookie).headers().map())
          .doesNotContainKey("set-cookie");

      now.updateAndGet(instant -> instant.plus(Duration.ofDays(4)));
      var foreign = List.of("Cookie", cookie, "Sec-Fetch-Site", "same-site");
      assertThat(send(server, "GET", "/read", foreign.toArray(String[]::new)).headers().map())
          .doesNotContainKey("set-cookie");
      var renewed = send(server, "GET", "/read", "Cookie", cookie).headers();
      var longer = renewed.firstValue("Set-Cookie").orElseThrow();
      assertThat(longer).endsWith("; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800");

      now.updateAndGet(instant -> instant.plus(Duration.ofDays(4)));
      assertThat(send(server, "GET", "/read", "Cookie", cookie).statusCode()).isEqualTo(401);
      assertThat(send(server, "GET", "/read", "Cookie", longer.split(";", 2)[0]).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void anEventStreamEndsWithItsSession() throws Exception {
    var turns = new Semaphore(0);
    var events =
        Route.get(
            "/events",
            _ ->
                Response.events(out -> {
                  while (true) {
                    turns.acquire();
                    out.comment("still here");
                  }
                }));
    try (var server =
            RunningServer.with(RunningServer.DEFAULTS, api(KEYS, false), now::get, events);
        var browser = server.raw();
        var program = server.raw()) {
      var ask = "GET /events HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n";
      browser.say(ask.formatted("Cookie: " + signIn(server, "one")));
      turns.release();
      browser.await("still here");

      now.updateAndGet(instant -> instant.plus(Duration.ofDays(7)));
      turns.release();
      assertThat(browser.rest()).doesNotContain("still here");

      program.say(ask.formatted("X-Api-Key: one")); // a key does not end
      turns.release();
      program.await("still here");
    }
  }

  @Test
  void blocksAddressesThatGuessKeysOrForgeCookies() {
    try (var server = server(KEYS, false)) {
      var cookie = signIn(server, "one");
      var elsewhere = forged("viewer:gone:old key", 0);
      for (int i = 0;
          i < 30;
          i++) { // what came from elsewhere, or ended with its key, is one guess
        assertThat(session(server, "Cookie", "tidemill-session=x" + i)).contains("\"role\":null");
        assertThat(session(server, "Cookie", elsewhere)).contains("\"role\":null");
      }
      for (int i = 0; i < FailedAttempts.ALLOWED; i += 2) {
        var wrong = cookie.substring(0, cookie.length() - 2) + "A" + (char) ('A' + i);
        assertThat(send(server, "GET", "/read", "Cookie", wrong).statusCode()).isEqualTo(401);
        assertThat(server.post("/api/session", "{\"key\":\"no\"}").statusCode()).isEqualTo(401);
      }

      for (var answer :
          List.of(
              server.post("/api/session", "{\"key\":\"one\"}"),
              send(server, "GET", "/api/session", "Cookie", cookie),
              send(server, "GET", "/read", "Cookie", cookie))) {
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("60");
      }
    }
  }

  @Test
  void aCookieSignedWithAGuessedKeyIsAGuess() {
    try (var server = server(KEYS, false)) {
      for (int i = 0; i <= FailedAttempts.ALLOWED; i++) {
        var guess = forged("viewer:kim:guess" + i, i);
        assertThat(send(server, "GET", "/read", "Cookie", guess).statusCode()).isEqualTo(401);
      }

      var right = forged("viewer:kim:one", 0);
      assertThat(send(server, "GET", "/read", "Cookie", right).statusCode()).isEqualTo(429);
    }
  }

  private String forged(String entry, int earlier) {
    var sessions = new SessionCookie(Duration.ofDays(7), Duration.ofDays(30));
    var when = now.get().minusSeconds(earlier);
    return sessions.made(ApiKey.parse(entry), false, when).split(";", 2)[0];
  }

  @Test
  void neighboursOfAGuesserAreTheirOwn() {
    var ours = RunningServer.behind("127.0.0.1", "10.0.0.0/8");
    try (var server = RunningServer.with(ours, api(KEYS, false), now::get, read, change)) {
      for (int i = 0;
          i <= FailedAttempts.ALLOWED;
          i++) { // what a client writes itself is no matter
        var from = "203.0.113.%d, 198.51.100.7, 10.1.2.3".formatted(i);
        assertThat(status(server, "wrong", "X-Forwarded-For", from)).isEqualTo(401);
      }

      assertThat(status(server, "one", "X-Forwarded-For", "198.51.100.7")).isEqualTo(429);
      assertThat(status(server, "one", "X-Forwarded-For", "198.51.100.7:5000")).isEqualTo(429);
      assertThat(
              status(
                  server,
                  "one",
                  "X-Forwarded-For",
                  "198.51.100.8",
                  "X-Forwarded-For",
                  "198.51.100.7"))
          .isEqualTo(429);
      assertThat(status(server, "one", "X-Forwarded-For", "198.51.100.8")).isEqualTo(200);
      assertThat(status(server, "one")).isEqualTo(200);
      send(server, "POST", "/change/1", "X-Api-Key", "two", "X-Forwarded-For", "[2001:db8::9]:80");
      assertThat(server.audit.getLast().address()).isEqualTo("2001:db8:0:0:0:0:0:9");
    }
    try (var server = server(KEYS, false)) { // nobody is believed unless settings say so
      send(server, "POST", "/change/1", "X-Api-Key", "two", "X-Forwarded-For", "198.51.100.7");
      assertThat(server.audit.getLast().address()).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void aWholeIpv6NetworkIsOneGuesser() {
    var ours = RunningServer.behind("127.0.0.1");
    try (var server = RunningServer.with(ours, api(KEYS, false), now::get, read)) {
      for (int i = 0; i <= FailedAttempts.ALLOWED; i++) {
        assertThat(status(server, "wrong", "X-Forwarded-For", "2001:db8::" + i)).isEqualTo(401);
      }

      assertThat(status(server, "one", "X-Forwarded-For", "2001:db8::ffff")).isEqualTo(429);
      assertThat(status(server, "one", "X-Forwarded-For", "2001:db8:0:1::1")).isEqualTo(200);
    }
  }

  private static int status(RunningServer server, String key, String... headers) {
    var all = new ArrayList<>(List.of("X-Api-Key", key));
    all.addAll(List.of(headers));
    return send(server, "GET", "/read", all.toArray(String[]::new)).statusCode();
  }

  @ParameterizedTest
  @CsvSource({
    // origin, sec-fetch-site, reading by cookie, changing by cookie, changing by header
    "'',                    '',          200, 403, 204",
    "'',                    same-origin, 200, 204, 204",
    "'',                    same-site,   403, 403, 204",
    "'',                    cross-site,  403, 403, 204",
    "'',                    none,        200, 403, 204",
    "OWN,                   '',          200, 204, 204",
    "OWN,                   same-origin, 200, 204, 204",
    "https://app.example,   '',          403, 403, 204",
    "https://app.example,   same-origin, 403, 403, 204",
    "https://evil.example,  '',          403, 403, 403",
    "https://evil.example,  same-origin, 403, 403, 403",
    "null,                  '',          403, 403, 403"
  })
  void aCookieCountsOnlyInOurOwnPages(
      String origin, String site, int reading, int changing, int byHeader) {
    var open = RunningServer.origins("https://app.example");
    try (var server = RunningServer.with(open, api(KEYS, false), now::get, read, change)) {
      var headers = new ArrayList<String>();
      if (origin.equals("OWN")) headers.addAll(List.of("Origin", server.server.url()));
      else if (!origin.isEmpty()) headers.addAll(List.of("Origin", origin));
      if (!site.isEmpty()) headers.addAll(List.of("Sec-Fetch-Site", site));
      var byKey = new ArrayList<>(headers);
      byKey.addAll(List.of("X-Api-Key", "two"));
      headers.addAll(List.of("Cookie", signIn(server, "two")));

      var read = send(server, "GET", "/read", headers.toArray(String[]::new));
      var change = send(server, "POST", "/change/1", headers.toArray(String[]::new));
      assertThat(read.statusCode()).isEqualTo(reading);
      assertThat(change.statusCode()).isEqualTo(changing);
      assertThat(send(server, "POST", "/change/1", byKey.toArray(String[]::new)).statusCode())
          .isEqualTo(byHeader);
      assertThat(read.headers().map()).doesNotContainKey("access-control-allow-credentials");
      assertThat(change.headers().map()).doesNotContainKey("access-control-allow-credentials");
    }
  }

  @Test
  void pagesOfOtherOriginsCanNotSignInOrOut() {
    var open = RunningServer.origins("https://app.example");
    try (var server = RunningServer.with(open, api(KEYS, false), now::get)) {
      var origin = "https://app.example";
      assertThat(server.post("/api/session", "{\"key\":\"one\"}", "Origin", origin).statusCode())
          .isEqualTo(403);
      assertThat(send(server, "DELETE", "/api/session", "Origin", origin).statusCode())
          .isEqualTo(403);
      var cookie = signIn(server, "one");
      assertThat(session(server, "Cookie", cookie, "Origin", origin)).contains("\"role\":null");
    }
  }

  @Test
  void changesAreAudited() {
    try (var server = server(KEYS, false)) {
      send(server, "POST", "/change/7?why=x", "X-Api-Key", "two");
      send(server, "POST", "/change/8", "X-Api-Key", "one");
      send(server, "POST", "/change/9");
      send(server, "POST", "/change/9", "Origin", "https://evil.example");
      server.post("/api/session", "{\"key\":\"no\"}");
      signIn(server, "three");
      send(server, "POST", "/often", "X-Api-Key", "two");
      send(server, "POST", "/ask", "X-Api-Key", "two");
      send(server, "GET", "/read", "X-Api-Key", "two");

      assertThat(server.audit)
          .extracting(e -> e.who() + "|" + e.role() + "|" + e.path() + "|" + e.status())
          .containsExactly(
              "bob|operator|/change/7?why=x|204",
              "kim|viewer|/change/8|403",
              "anonymous||/change/9|401",
              "anonymous||/change/9|403",
              "anonymous||/api/session|401",
              "alice|admin|/api/session|204");
      assertThat(server.audit)
          .extracting(io.tidemill.observe.AuditEntry::detail)
          .containsExactly(
              "changed 7",
              "this needs the role operator; yours is viewer",
              "this needs an API key",
              "requests from this origin are not allowed",
              "this API key is not known",
              "signed in");
      assertThat(server.audit)
          .allSatisfy(entry -> {
            assertThat(entry.trace()).matches("[0-9a-f]{32}");
            assertThat(entry.address()).isEqualTo("127.0.0.1");
            assertThat(entry.method()).isEqualTo("POST");
          });
      assertThat(server.audit.getFirst().route()).isEqualTo("/change/{id}");
    }
  }

  private RunningServer server(List<String> keys, boolean readOnly) {
    return RunningServer.with(
        RunningServer.DEFAULTS, api(keys, readOnly), now::get, read, ask, change, often, trail);
  }

  private static ApiConfig api(List<String> keys, boolean readOnly) {
    return new ApiConfig(keys, readOnly, Duration.ofDays(7), Duration.ofDays(30), 1_000);
  }

  private static String signIn(RunningServer server, String key) {
    var answer = server.post("/api/session", "{\"key\":\"" + key + "\"}");
    return answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
  }

  private static String session(RunningServer server, String... headers) {
    return server.get("/api/session", headers).body();
  }

  private static HttpResponse<String> send(
      RunningServer server, String method, String path, String... headers) {
    return server.send(method, path, BodyPublishers.noBody(), headers);
  }
}
