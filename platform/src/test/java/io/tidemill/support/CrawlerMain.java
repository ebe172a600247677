package io.tidemill.support;

import java.util.List;

/// A crawler as a process.
public final class CrawlerMain {
  private CrawlerMain() {}

  /// @param arguments settings, as `key=value`
  public static void main(String[] arguments) throws InterruptedException {
    try (var part = CrawlPlatform.crawler(CrawlPlatform.settings(List.of(arguments)))) {
      System.out.println("ready " + part);
      Thread.currentThread().join();
    }
  }
}
