package io.tidemill.fetch;

import io.tidemill.content.url.WebUrl;
import org.apache.hc.client5.http.psl.PublicSuffixMatcher;
import org.apache.hc.client5.http.psl.PublicSuffixMatcherLoader;

/// The domain under a public suffix, `example.co.uk` for `www.example.co.uk`.
public final class RegistrableDomain {
  private static final PublicSuffixMatcher SUFFIXES = PublicSuffixMatcherLoader.getDefault();

  private RegistrableDomain() {}

  /// The registrable domain of a URL's host, by the public suffix list. An IP address, a single
  /// label such as `localhost` and a public suffix are their own domain.
  public static String of(WebUrl url) {
    var domain = url.isIpAddress() ? null : SUFFIXES.getDomainRoot(url.host());
    return domain == null ? url.host() : domain;
  }
}
