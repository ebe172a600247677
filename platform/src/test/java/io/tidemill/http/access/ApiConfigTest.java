package io.tidemill.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.http.Access;
import io.tidemill.http.Identity;
import io.tidemill.http.Request;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiConfigTest {
  private static final String SECRET = "s3cret:with:colons";
  // printf %s 's3cret:with:colons' | sha256sum
  private static final String DIGEST =
      "d381faed5366a3a462313f7d4d0422696991e3f2ecef4d622774dd3983263783";

  @ParameterizedTest
  @CsvSource({
    "s3cret:with:colons,              ,         admin",
    "viewer:kim:s3cret:with:colons,   kim,      viewer",
    "operator:b.o-b_7:s3cret:with:colons, b.o-b_7, operator",
    "admin:alice:s3cret:with:colons,  alice,    admin"
  })
  void aKeyHasARoleAndPerhapsAName(String entry, String name, String role) {
    var who = holder(entry, SECRET);

    assertThat(who.name().orElse(null)).isEqualTo(name);
    assertThat(who.role().wire()).isEqualTo(role);
    assertThat(who.mark().orElseThrow()).matches("[0-9a-f]{12}");
  }

  @Test
  void theDigestOfAKeyIsAsGoodAsTheKey() {
    var who = holder("viewer:kim:sha256:" + DIGEST, SECRET);

    assertThat(who).isEqualTo(holder("viewer:kim:" + SECRET, SECRET));
    assertThat(holder("sha256:" + DIGEST.toUpperCase(Locale.ROOT), SECRET).role())
        .isEqualTo(Access.ADMIN);
  }

  @Test
  void theDigestIsNotAKey() {
    var keys = keys("viewer:kim:sha256:" + DIGEST);

    assertThat(keys.proof(with("sha256:" + DIGEST))).isInstanceOf(ApiKeys.Proof.Wrong.class);
    assertThat(keys.proof(with(DIGEST))).isInstanceOf(ApiKeys.Proof.Wrong.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "viewer:",
        "viewer:s3cret",
        "operator::s3cret",
        "operator:a b:s3cret",
        "admin:anonymous:s3cret",
        "admin:alice:",
        "admin:alice:  ",
        "admin:alice:sha256:s3cret",
        "sha256:s3cret",
        "viewer:aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg:s3cret"
      })
  void anythingElseThatBeginsWithARoleIsRefusedWithoutAQuote(String entry) {
    assertThatThrownBy(() -> settings(entry))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("api.keys has ")
        .hasMessageContaining("expected ")
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "'viewer:kim:one,admin:kim:two', two keys for kim",
    "'viewer:kim:one,admin:alice:one', the key of alice twice",
    "'one,one', twice",
  })
  void namesAndKeysAreUnique(String entries, String complaint) {
    assertThatThrownBy(() -> settings(entries))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(complaint)
        .hasMessageNotContaining("one,");
  }

  @Test
  void otherColonsAreJustPartOfAKey() {
    assertThat(holder("viewers:kim", "viewers:kim").role()).isEqualTo(Access.ADMIN);
    assertThat(holder("open:kim:x", "open:kim:x").role()).isEqualTo(Access.ADMIN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"viewer:kim:s3cret\"]",
        "[\"viewer:kim:s3cret\", \"admin:al:s3cret2\"]",
        "[s3cret]",
        "\"s3cret\"",
        "'s3cret'",
        "{s3cret}",
        "viewers:kim:s3cret",
        "VIEWER:kim:s3cret",
        "oprator:kim:s3cret",
        "amdin:kim:s3cret"
      })
  void whatIsNoKeyIsRefusedWithTheRightForm(String entry) {
    assertThatThrownBy(() -> settings(entry))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("api.keys ")
        .hasMessageContaining("from -s")
        .hasMessageContaining("expected ")
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "api.session,10s",
    "api.session,500d",
    "api.session-limit,10s",
    "api.audit-keep,0",
    "api.audit-keep,2000000"
  })
  void limitsAreChecked(String key, String value) {
    assertThatThrownBy(
            () -> Settings.load(null, Map.of(), Map.of(key, value), List.of(ApiConfig.class)))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith(key + " is ");
  }

  @Test
  void keysThatCanBeGuessedAreKnown() {
    var entries = "viewer:kim:one,operator:bob:0123456789abcdef,admin:al:sha256:" + DIGEST;

    assertThat(keys(entries).shortKeys()).containsExactly("kim");
  }

  @Test
  void showsNoKey() {
    assertThat(settings("viewer:kim:" + SECRET).toString()).doesNotContain(SECRET);
  }

  private static Identity holder(String entry, String key) {
    return ((ApiKeys.Proof.Known) keys(entry).proof(with(key))).who();
  }

  private static ApiKeys keys(String entry) {
    return new ApiKeys(settings(entry), InstantSource.fixed(Instant.EPOCH));
  }

  private static ApiConfig settings(String entries) {
    return Settings.load(null, Map.of(), Map.of("api.keys", entries), List.of(ApiConfig.class))
        .section(ApiConfig.class);
  }

  private static Request with(String key) {
    return Request.of("GET", "/").withHeader("X-Api-Key", key);
  }
}
