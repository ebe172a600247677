package io.tidemill.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.url.WebUrl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistrableDomainTest {
  @ParameterizedTest
  @CsvSource({
    "http://example.org/,          example.org",
    "http://www.example.org/,      example.org",
    "http://a.b.example.co.uk/,    example.co.uk",
    "http://joe.github.io/,        joe.github.io",
    "http://github.io/,            github.io",
    "http://www.bücher.example/,   xn--bcher-kva.example",
    "http://www.пример.рф/,        xn--e1afmkfd.xn--p1ai",
    "http://localhost:8080/,       localhost",
    "http://127.0.0.1/,            127.0.0.1",
    "http://[::1]/,                [::1]",
    "http://co.uk/,                co.uk"
  })
  void findsTheDomainUnderThePublicSuffix(String url, String domain) {
    assertThat(RegistrableDomain.of(WebUrl.parse(url).orElseThrow())).isEqualTo(domain);
  }
}
