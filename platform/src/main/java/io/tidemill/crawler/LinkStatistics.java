package io.tidemill.crawler;

import io.tidemill.content.url.WebUrl;
import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Counts where a crawl would go and where not, and why; bounded in what it remembers.
final class LinkStatistics {
  private static final int MOST_REASONS = 20;
  private static final int MOST_SHOWN = 20;
  private static final int LONGEST = 2_000;
  private static final String OTHERS = "for other reasons";

  private static final class Refused {
    private final String example;
    private int count;

    Refused(String example) {
      this.example = example;
    }
  }

  private final Set<String> known = new HashSet<>();
  private final Map<String, Refused> refused = new LinkedHashMap<>();
  private final Map<String, Integer> hosts = new HashMap<>();
  private final List<String> first = new ArrayList<>();
  private int found;
  private int followed;

  /// @param identity a page that the crawl has already: its own first one
  LinkStatistics(String identity) {
    known.add(identity);
  }

  /// Whether this page was not met yet.
  boolean isNew(String identity) {
    return known.add(identity);
  }

  void follow(WebUrl url) {
    found++;
    followed++;
    hosts.merge(FrontierLinks.host(url), 1, Integer::sum);
    if (first.size() < MOST_SHOWN) first.add(shown(url.href()));
  }

  void refuse(WebUrl url, String why) {
    found++;
    var reason = refused.containsKey(why) || refused.size() < MOST_REASONS ? why : OTHERS;
    refused.computeIfAbsent(reason, _ -> new Refused(shown(url.href()))).count++;
  }

  /// As much of a URL as anybody reads.
  static String shown(String url) {
    return url.length() <= LONGEST ? url : url.substring(0, LONGEST);
  }

  int followed() {
    return followed;
  }

  /// Of how many pages the host has the most.
  int onOneHost() {
    return hosts.values().stream().mapToInt(count -> count).max().orElse(0);
  }

  ObjectNode json() {
    var out = Json.object().put("found", found).put("followed", followed);
    var reasons = out.putArray("refused");
    refused.entrySet().stream()
        .sorted((a, b) -> Integer.compare(b.getValue().count, a.getValue().count))
        .forEach(each ->
            reasons
                .addObject()
                .put("reason", each.getKey())
                .put("count", each.getValue().count)
                .put("example", each.getValue().example));
    var shown = out.putArray("first");
    first.forEach(shown::add);
    return out;
  }
}
