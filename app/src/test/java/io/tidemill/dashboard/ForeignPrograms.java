package io.tidemill.dashboard;

import com.microsoft.playwright.Page;
import io.tidemill.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// What strangers write to get a script into somebody else's page, and how to see in a browser that
/// it stayed text.
final class ForeignPrograms {
  private static final Path CORPUS =
      Path.of("..", "..", "shared", "corpora", "hostile", "xss-strings.jsonl");
  private static final List<String> OWN =
      List.of(
          "<img src=x onerror=alert(1)>",
          "<script>alert(1)</script>",
          "\"><svg onload=alert(1)>",
          "javascript:alert(1)",
          "${alert(1)}{{alert(1)}}",
          "<a href=\"javascript:alert(1)\">x</a>");

  // Lists have only the rows that are seen, and fetch more when their end comes near: so they are
  // scrolled through, and begun anew when something came in between.
  private static final String MISSING =
      """
      async ({ selector, wanted, part }) => {
        const plain = (text) => text.replace(/\\s+/g, ' ').trim();
        const rest = (ms) => new Promise((go) => setTimeout(go, ms));
        const left = new Set(wanted.map(plain));
        const until = performance.now() + 30_000;
        for (let ends = 0; ;) {
          const texts = Array.from(document.querySelectorAll(selector), (each) => plain(each.textContent));
          if (part) { const all = texts.join('\\n'); for (const text of left) if (all.includes(text)) left.delete(text); }
          else for (const text of texts) left.delete(text);
          if (!left.size || performance.now() > until) return [...left];
          let list = document.querySelector('main [role=table] [role=row]') ?? document.scrollingElement;
          while (list !== document.scrollingElement && !/auto|scroll/.test(getComputedStyle(list).overflowY)) list = list.parentElement;
          if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) {
            if (++ends % 20 === 0) list.scrollTop = 0;
            await rest(50);
          } else list.scrollTop += list.clientHeight;
          list.dispatchEvent(new Event('scroll')); // rather than wait until it is painted
          await rest(0);
        }
      }
      """;

  // The page makes none of these, and no script of it sets handlers by attribute.
  private static final String INTRUDERS =
      """
      () => [...document.querySelectorAll('body *')]
        .filter((each) => /^(script|style|link|meta|base|iframe|frame|frameset|object|embed|applet|img|image|video|audio|source|math|marquee|foreignobject|animate|set)$/i.test(each.localName)
          || [...each.attributes].some((attribute) => /^on/i.test(attribute.name) || attribute.name === 'srcdoc' || attribute.name === 'formaction')
          || (each.localName === 'a' && each.hasAttribute('href') && !/^https?:$/.test(each.protocol)))
        .map((each) => each.outerHTML.slice(0, 200))
      """;

  private static final String CHOSEN =
      """
      async ({ choices, shown }) => {
        const texts = [];
        for (const choice of document.querySelectorAll(choices)) {
          choice.click();
          await document.querySelector('main > *').updateComplete;
          texts.push(document.querySelector(shown).textContent);
        }
        return texts;
      }
      """;

  private ForeignPrograms() {}

  /// Our own strings, and those of the corpus where it is there.
  static List<String> strings() throws IOException {
    var all = new ArrayList<>(OWN);
    if (Files.exists(CORPUS)) {
      for (var line : Files.readAllLines(CORPUS))
        all.add(Json.parse(line).get("payload").stringValue());
    }
    return List.copyOf(all);
  }

  /// Waits until each of these texts is the whole text of an element; answers those that are of
  /// none. Lists are read to their end.
  static List<String> missing(Page page, String selector, Collection<String> texts) {
    return look(page, selector, texts, false);
  }

  /// The same for texts that are a part of one.
  static List<String> missingWithin(Page page, String selector, Collection<String> texts) {
    return look(page, selector, texts, true);
  }

  /// How a text stands in JSON, without the quotes around it.
  static String inJson(String text) {
    var quoted = Json.text(text);
    return quoted.substring(1, quoted.length() - 1);
  }

  @SuppressWarnings("unchecked")
  private static List<String> look(
      Page page, String selector, Collection<String> texts, boolean part) {
    return (List<String>)
        page.evaluate(
            MISSING, Map.of("selector", selector, "wanted", List.copyOf(texts), "part", part));
  }

  /// Clicks each of the choices; answers what the element said then.
  @SuppressWarnings("unchecked")
  static List<String> chosen(Page page, String choices, String shown) {
    return (List<String>) page.evaluate(CHOSEN, Map.of("choices", choices, "shown", shown));
  }

  /// Elements of the page that are not its own.
  @SuppressWarnings("unchecked")
  static List<String> intruders(Page page) {
    return (List<String>) page.evaluate(INTRUDERS);
  }
}
