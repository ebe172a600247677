package io.tidemill.content.html;

import io.tidemill.content.url.WebUrl;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes URLs of the references on a page: resolved, without fragments, each once.
final class LinkResolver {
  private static final int MAX = 5_000;
  private static final int MAX_LENGTH = 4_096;

  private final WebUrl base;
  private final Map<String, @Nullable WebUrl> resolved = new LinkedHashMap<>();
  private final Map<WebUrl, PageLink> links = new LinkedHashMap<>();

  /// @param href of the page's `base` element
  LinkResolver(WebUrl page, @Nullable String href) {
    this.base = href == null ? page : page.resolve(href.strip()).orElse(page);
  }

  void add(String href, boolean nofollow, String anchor) {
    if (links.size() >= MAX) return;
    var target = target(href);
    if (target == null) return;
    var known = links.get(target);
    if (known == null) links.put(target, new PageLink(target, nofollow, anchor));
    else if (known.nofollow() != nofollow || known.anchor().isEmpty()) {
      var text = known.anchor().isEmpty() ? anchor : known.anchor();
      links.put(target, new PageLink(target, known.nofollow() && nofollow, text));
    }
  }

  // Menus stand on a page twice and more: the same reference is resolved once.
  private @Nullable WebUrl target(String href) {
    if (!mayLead(href)) return null;
    if (resolved.containsKey(href)) return resolved.get(href);
    var target = resolve(href);
    resolved.put(href, target);
    return target;
  }

  @Nullable WebUrl resolve(String href) {
    if (href.length() > MAX_LENGTH) return null;
    if (isSimplePath(href)) {
      return new WebUrl(base.scheme(), base.host(), base.port(), href, null, null);
    }
    return base.resolve(href.strip()).map(WebUrl::withoutFragment).orElse(null);
  }

  // Most links are a path of letters and digits, and resolving these changes nothing in them.
  private static boolean isSimplePath(String href) {
    if (!href.startsWith("/")) return false;
    for (var i = 1; i < href.length(); i++) {
      var c = href.charAt(i);
      var afterSlash = href.charAt(i - 1) == '/';
      if (afterSlash && (c == '/' || c == '.')) return false;
      if (!isLetter(c) && "0123456789/-_.~".indexOf(c) < 0) return false;
    }
    return true;
  }

  private static boolean isLetter(char c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  }

  // Cheap before exact: most references that lead nowhere show it in their first letters.
  private static boolean mayLead(String href) {
    var start = 0;
    while (start < href.length() && href.charAt(start) <= ' ') start++;
    if (start == href.length()) return false;
    return switch (href.charAt(start)) {
      case '#' -> false;
      case 'j', 'J' -> !href.regionMatches(true, start, "javascript:", 0, 11);
      case 'm', 'M' -> !href.regionMatches(true, start, "mailto:", 0, 7);
      case 't', 'T' -> !href.regionMatches(true, start, "tel:", 0, 4);
      case 'd', 'D' -> !href.regionMatches(true, start, "data:", 0, 5);
      default -> true;
    };
  }

  List<PageLink> all() {
    return new ArrayList<>(links.values());
  }
}
