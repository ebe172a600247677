package io.tidemill.app.upgrade;

import java.util.List;

/// Every migration there is.
final class Migrations {
  /// In order: the first one leads to format 1, and so on. None is ever taken out or changed.
  static final List<Migration> ALL = List.of(new FirstStamp());

  private Migrations() {}

  /// To format 1: the stamp itself. Everything else stays as it was.
  private static final class FirstStamp implements Migration {
    @Override
    public String what() {
      return "notes the format";
    }
  }
}
