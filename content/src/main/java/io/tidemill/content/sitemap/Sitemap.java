package io.tidemill.content.sitemap;

import io.tidemill.content.url.WebUrl;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a sitemap holds: pages, or further sitemaps.
public record Sitemap(List<Entry> entries, List<WebUrl> children) {
  /// A sitemap with nothing in it.
  public static final Sitemap EMPTY = new Sitemap(List.of(), List.of());

  public Sitemap {
    entries = List.copyOf(entries);
    children = List.copyOf(children);
  }

  /// One page.
  ///
  /// @param modifiedAt when it last changed; null when the sitemap does not say
  public record Entry(WebUrl url, @Nullable Instant modifiedAt) {
    /// When it last changed.
    public Optional<Instant> lastModified() {
      return Optional.ofNullable(modifiedAt);
    }
  }
}
