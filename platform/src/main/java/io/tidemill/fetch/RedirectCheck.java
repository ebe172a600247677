package io.tidemill.fetch;

import io.tidemill.content.url.WebUrl;
import java.util.Optional;

/// Asked before each redirect is followed.
@FunctionalInterface
public interface RedirectCheck {
  /// Goes wherever the address guard lets it.
  RedirectCheck ANYWHERE = _ -> Optional.empty();

  /// Why a URL must not be fetched.
  ///
  /// @param isTransient whether it may be fetched later
  record Refusal(String why, boolean isTransient) {}

  /// Why the next URL must not be fetched; empty when it may.
  Optional<Refusal> refusal(WebUrl next);
}
