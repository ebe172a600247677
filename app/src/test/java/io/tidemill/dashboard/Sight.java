package io.tidemill.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One person's tab on the dashboard. Whatever goes wrong in it is kept: errors, refused scripts,
/// boxes that a page of a stranger opened.
final class Sight implements AutoCloseable {
  private final BrowserContext context;
  private final Page page;
  private final String address;
  private final List<String> faults = new ArrayList<>();

  Sight(Browser browser, String address) {
    this(browser, address, new Browser.NewContextOptions().setViewportSize(1360, 900));
  }

  Sight(Browser browser, String address, Browser.NewContextOptions options) {
    this.address = address;
    context =
        browser.newContext(
            options.setReducedMotion(com.microsoft.playwright.options.ReducedMotion.REDUCE));
    context.setDefaultTimeout(20_000);
    page = context.newPage();
    page.addInitScript(
        "addEventListener('securitypolicyviolation', e => console.error('CSP refused', e.violatedDirective, e.blockedURI))");
    page.onPageError(error -> faults.add("error: " + error));
    page.onDialog(dialog -> {
      faults.add("a box opened: " + dialog.message());
      dialog.dismiss();
    });
    page.onConsoleMessage(message -> {
      // An answer that is no success is told by the view, and the browser says it too.
      if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
        faults.add("console: " + message.text());
      }
    });
  }

  void signIn(String key) {
    page.navigate(address + "/");
    page.getByLabel("API key").fill(key);
    page.keyboard().press("Enter");
    page.locator("nav#nav").waitFor();
  }

  /// What a browser fetches that has nothing yet until the first view stands, in bytes.
  long transferredByFirstView() {
    var devtools = context.newCDPSession(page);
    var bytes = new java.util.concurrent.atomic.AtomicLong();
    devtools.send("Network.enable");
    var noCache = new com.google.gson.JsonObject();
    noCache.addProperty("cacheDisabled", true);
    devtools.send("Network.setCacheDisabled", noCache);
    devtools.on(
        "Network.loadingFinished",
        event -> bytes.addAndGet(event.get("encodedDataLength").getAsLong()));
    page.navigate("about:blank");
    open("overview");
    page.locator(".overview-map").waitFor();
    return bytes.get();
  }

  /// Modules that the browser had to find out by reading others.
  @SuppressWarnings("unchecked")
  List<String> modulesFoundLate() {
    return (List<String>)
        page.evaluate(
            """
            () => {
              const named = new Set([...document.querySelectorAll('link[href], script[src]')].map(each => each.href || each.src));
              return performance.getEntriesByType('resource').map(each => each.name).filter(name => name.endsWith('.js') && !named.has(name));
            }
            """);
  }

  /// Types into the box that finds everything until this is the first that is found.
  void findUntil(String text, String id) {
    var box = page.getByLabel("Find anything");
    org.awaitility.Awaitility.await()
        .atMost(io.tidemill.app.Product.PATIENCE)
        .until(() -> {
          box.fill("");
          box.fill(text);
          page.locator("#found [role=option]").first().waitFor();
          return page.locator("#found-0 .kind").innerText().equals("job");
        });
  }

  boolean isFocused(String selector) {
    return (boolean)
        page.evaluate("selector => document.activeElement.matches(selector)", selector);
  }

  /// Goes to a view and waits until its heading is there.
  Page open(String view) {
    page.navigate(address + "/#/" + view);
    page.locator("main h1").first().waitFor();
    return page;
  }

  Page page() {
    return page;
  }

  Locator heading() {
    return page.locator("main h1");
  }

  void theme(ColorScheme scheme) {
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
  }

  /// What axe-core finds that is serious or worse, one line each.
  @SuppressWarnings("unchecked")
  List<String> barriers() throws IOException {
    page.evaluate(Chromium.axe());
    var found =
        (List<Map<String, Object>>)
            page.evaluate(
                """
                async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
                  .filter(v => ['serious', 'critical'].includes(v.impact))
                  .map(v => ({ id: v.id, where: v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ') }))
                """);
    return found.stream().map(each -> each.get("id") + ": " + each.get("where")).toList();
  }

  /// Nothing went wrong so far.
  void assertWell() {
    assertThat(faults).isEmpty();
  }

  @Override
  public void close() {
    context.close();
  }
}
