package io.tidemill.cli.crawl;

import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.contract.crawl.CrawlScope;
import java.util.Arrays;
import java.util.Iterator;

/// The scopes that a shell may complete.
final class ScopeNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(CrawlScope.values()).map(CrawlScope::wire).iterator();
  }

  static String check(String scope) {
    if (CrawlScope.of(scope).isPresent()) return scope;
    throw CommandFailure.usage(
        "--scope is '%s': expected one of %s".formatted(scope, CrawlScope.NAMES));
  }
}
