package io.tidemill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicUrlTest {
  private static final BasePath BASE = new BasePath("/tidemill");

  @Test
  void linksHaveTheBasePathOnceWhetherItIsGivenOrNot() {
    for (var given :
        new String[] {"https://ops.example.org:8443", "https://ops.example.org:8443/tidemill/"}) {
      var found = new PublicUrl(PublicUrl.origin(given, BASE), BASE);

      assertThat(found.isKnown()).isTrue();
      assertThat(found.of("/api/tasks/1"))
          .isEqualTo("https://ops.example.org:8443/tidemill/api/tasks/1");
    }
  }

  @Test
  void withoutAHostTheyArePaths() {
    var unknown = new PublicUrl(PublicUrl.origin("", BASE), BASE);

    assertThat(unknown.isKnown()).isFalse();
    assertThat(unknown.of("/api/tasks/1")).isEqualTo("/tidemill/api/tasks/1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ops.example.org",
        "ftp://ops.example.org",
        "https://",
        "https://a b",
        "https://ops.example.org/?a",
        "https://ops.example.org/#a",
        "https://me@ops.example.org"
      })
  void anythingElseIsRefused(String given) {
    assertThatThrownBy(() -> PublicUrl.origin(given, BASE))
        .hasMessage(
            "http.public-url is %s: expected an address such as https://ops.example.org", given);
  }

  @Test
  void aPathOfAnotherKindIsRefused() {
    assertThatThrownBy(() -> PublicUrl.origin("https://ops.example.org/other", BASE))
        .hasMessageEndingWith("its path is not that of http.base-path, set both to the same");
  }
}
