package io.tidemill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.http.server.Router;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResponseTest {
  @Test
  void aProblemIsADocumentOfItsOwnType() {
    var body = Response.problem(Problem.of(422, "no url").with("field", "url"));

    assertThat(body.status()).isEqualTo(422);
    assertThat(body.contentType()).isEqualTo("application/problem+json");
    assertThat(new String(body.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"type\":\"about:blank\",\"title\":\"Unprocessable Content\",\"status\":422,"
                + "\"detail\":\"no url\",\"field\":\"url\"}");
  }

  @Test
  void aHeaderReplacesTheOneOfItsName() {
    var body = Response.text(200, "x").withHeader("Location", "/a").withHeader("location", "/b");

    assertThat(body.headers()).containsExactly(java.util.Map.entry("location", "/b"));
  }

  @Test
  void aHeaderCanNotSplitTheAnswer() {
    assertThatThrownBy(() -> Response.text(200, "x").withHeader("Location", "/a\r\nX: y"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEventCanNotForgeAnother() {
    var out = new SseWriter(new ByteArrayOutputStream());

    assertThatThrownBy(() -> out.event("1\n", "a", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.event("1", "a\r", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.event("\0", "a", "")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> out.comment("\n")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRequestKnowsItsParts() {
    var request =
        Request.of("GET", "/a%20b?q=1&q=%C3%A9&flag")
            .withHeader("X-Name", "value")
            .withPathParam("id", "7")
            .withBody(new byte[] {1});

    assertThat(request.path()).isEqualTo("/a%20b");
    assertThat(request.queryAll("q")).containsExactly("1", "é");
    assertThat(request.query("flag")).contains("");
    assertThat(request.query("none")).isEmpty();
    assertThat(request.header("x-name")).contains("value");
    assertThat(request.pathParam("id")).isEqualTo("7");
    assertThat(request.body()).containsExactly(1);
  }

  @Test
  void twoRoutesCanNotShareAPlace() {
    var route = Route.get("/a", _ -> Response.noContent());

    assertThatThrownBy(() -> new Router(java.util.List.of(route, route)))
        .hasMessage("two routes for GET /a");
  }
}
