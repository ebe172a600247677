package io.tidemill.content.url;

import java.util.List;

/// How a URL becomes the identity of its page.
///
/// @param lowerCase whether the identity is all lower case, percent escapes too
/// @param sortQuery whether the order of query parameters makes no other page
/// @param dropTracking whether parameters that only track visitors are left out
/// @param dropSessions whether session ids are left out
/// @param dropParameters more query parameters to leave out; a star at the end stands for the rest
public record UrlRules(
    boolean lowerCase,
    boolean sortQuery,
    boolean dropTracking,
    boolean dropSessions,
    List<String> dropParameters) {
  public UrlRules {
    dropParameters = List.copyOf(dropParameters);
  }

  /// What the settings' own defaults say.
  public static UrlRules standard() {
    return new UrlRules(true, true, true, true, List.of());
  }
}
