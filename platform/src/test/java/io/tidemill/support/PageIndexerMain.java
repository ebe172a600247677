package io.tidemill.support;

import java.util.List;

/// An indexer as a process.
public final class PageIndexerMain {
  private PageIndexerMain() {}

  /// @param arguments settings, as `key=value`
  public static void main(String[] arguments) throws InterruptedException {
    try (var part = CrawlPlatform.indexer(CrawlPlatform.settings(List.of(arguments)))) {
      System.out.println("ready " + part);
      Thread.currentThread().join();
    }
  }
}
