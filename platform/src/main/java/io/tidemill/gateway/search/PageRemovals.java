package io.tidemill.gateway.search;

/// Where the wish to remove a page from the index goes.
@FunctionalInterface
public interface PageRemovals {
  /// Returns when the wish can't be lost any more.
  void remove(String normalisedUrl);
}
