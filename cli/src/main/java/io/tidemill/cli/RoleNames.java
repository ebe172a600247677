package io.tidemill.cli;

import java.util.Iterator;

/// The roles that a shell may complete.
final class RoleNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Roles.ALL.iterator();
  }
}
