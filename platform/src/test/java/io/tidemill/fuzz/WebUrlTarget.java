package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.UrlRules;
import io.tidemill.content.url.WebUrl;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.crawler.scope.TrapGuard;
import io.tidemill.fetch.RegistrableDomain;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// Links: what is read is read back the same, and has one identity.
public final class WebUrlTarget {
  private static final WebUrl PAGE = WebUrl.parse("https://example.org/a/b?c#d").orElseThrow();
  private static final UrlNormaliser NORMALISER = new UrlNormaliser(UrlRules.standard());
  private static final TrapGuard GUARD =
      new TrapGuard(TrapConfig.standard(), InstantSource.fixed(Instant.EPOCH));

  private WebUrlTarget() {}

  public static void fuzzerInitialize() {
    PAGE.resolve("//www.ü.org/2024/05").ifPresent(WebUrlTarget::check);
  }

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    boolean absolute = data.consumeBoolean();
    var text = data.consumeRemainingAsString();
    PAGE.resolve(absolute ? "http://" + text : text).ifPresent(WebUrlTarget::check);
  }

  private static void check(WebUrl url) {
    if (!WebUrl.parse(url.href()).equals(Optional.of(url))) throw new AssertionError(url.href());
    var once = NORMALISER.normalise(url);
    var twice = WebUrl.parse(once).map(NORMALISER::normalise);
    if (!twice.equals(Optional.of(once))) throw new AssertionError(once + " / " + twice);
    if (!url.host().endsWith(RegistrableDomain.of(url))) throw new AssertionError(url.href());
    GUARD.refusal(url);
  }
}
