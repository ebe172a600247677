package io.tidemill.content.url;

import io.tidemill.content.text.ResourceText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Query parameters that track visitors and do not name a page.
final class DroppedParameters {
  private static final List<String> TRACKING =
      ResourceText.lines(DroppedParameters.class, "tracking-parameters.txt").toList();

  private final Set<String> names = new HashSet<>();
  private final List<String> starts = new ArrayList<>();
  private final boolean sessions;

  DroppedParameters(UrlRules rules) {
    sessions = rules.dropSessions();
    if (rules.dropTracking()) TRACKING.forEach(this::add);
    rules.dropParameters().forEach(this::add);
  }

  private void add(String pattern) {
    var name = pattern.strip().toLowerCase(Locale.ROOT);
    if (name.endsWith("*")) starts.add(name.substring(0, name.length() - 1));
    else names.add(name);
  }

  boolean holds(String parameter) {
    int end = parameter.indexOf('=');
    var name = (end < 0 ? parameter : parameter.substring(0, end)).toLowerCase(Locale.ROOT);
    if (names.contains(name)) return true;
    for (var start : starts) {
      if (name.startsWith(start)) return true;
    }
    return sessions && SessionIds.isParameter(name, end < 0 ? "" : parameter.substring(end + 1));
  }
}
