package io.tidemill.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/// One person's tab on the dashboard. Whatever goes wrong in it is kept: errors, refused scripts,
/// boxes that a stranger's text opened, requests that leave the gateway.
final class PageInspector implements AutoCloseable {
  // A script that gets to run calls one of these sooner or later.
  private static final String TRAPS =
      """
      addEventListener('securitypolicyviolation', e => console.error('CSP refused', e.violatedDirective, e.blockedURI));
      for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = (...said) => console.error('a script ran', name, ...said);
      """;

  private final BrowserContext context;
  private final Page page;
  private final String address;
  private final List<String> faults = new ArrayList<>();

  PageInspector(BrowserContext context, String address) {
    this.context = context;
    this.address = address;
    page = context.newPage();
    page.addInitScript(TRAPS);
    page.onPageError(error -> faults.add("error: " + error));
    page.onPopup(popup -> faults.add("a window opened: " + popup.url()));
    page.onDialog(dialog -> {
      faults.add("a box opened: " + dialog.message());
      dialog.dismiss();
    });
    page.onRequest(request -> {
      if (!request.url().startsWith(address)) faults.add("it asked for " + request.url());
    });
    page.onConsoleMessage(message -> {
      // An answer that is no success is told by the view, and the browser says it too.
      if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
        faults.add("console: " + message.text());
      }
    });
  }

  Page page() {
    return page;
  }

  void signIn(String key) {
    page.navigate(address + "/");
    page.getByLabel("API key").fill(key);
    page.keyboard().press("Enter");
    nav().waitFor();
  }

  Locator nav() {
    return page.getByRole(AriaRole.NAVIGATION, new Page.GetByRoleOptions().setName("Views"));
  }

  /// Goes to a view and waits until its heading is there.
  Page open(String view) {
    page.navigate(address + "/#/" + view);
    heading().waitFor();
    return page;
  }

  /// The same, and waits until it has what it asked for.
  Page settle(String view) {
    open(view);
    page.waitForFunction(
        "title => document.title.includes(title) && ![...document.querySelectorAll('main [aria-busy=true]')].some((each) => each.checkVisibility())",
        view.split("[/?]", 2)[0].equals("dead") ? "Dead" : capital(view.split("[/?]", 2)[0]));
    return page;
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  Locator main() {
    return page.getByRole(AriaRole.MAIN);
  }

  /// What the view says it is.
  Locator heading() {
    return page.locator("main h1").first();
  }

  Locator heading(Pattern name) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name)).first();
  }

  /// What came over the page.
  Locator dialog() {
    return page.getByRole(AriaRole.DIALOG);
  }

  Locator alert() {
    return main().getByRole(AriaRole.ALERT).first();
  }

  Locator region(String name) {
    return page.getByRole(
        AriaRole.REGION, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator list(String name) {
    return page.getByRole(AriaRole.LIST, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator button(String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
        .first();
  }

  Locator tab(String name) {
    return page.getByRole(
        AriaRole.TAB, new Page.GetByRoleOptions().setName(Pattern.compile("^" + name)));
  }

  /// Rows of lists, without their heads.
  Locator rows() {
    return page.getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHas(page.getByRole(AriaRole.CELL)));
  }

  Locator row(String text) {
    return rows().filter(new Locator.FilterOptions().setHasText(text)).first();
  }

  /// Presses a button of the view, and nothing that came over it.
  void press(String name) {
    main()
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true))
        .first()
        .click();
  }

  /// Presses a button of what came over the page.
  void answer(String name) {
    dialog()
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true))
        .last()
        .click();
  }

  Locator field(String label) {
    return dialog().getByLabel(label, new Locator.GetByLabelOptions().setExact(true));
  }

  void follow(String link) {
    main()
        .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(link).setExact(true))
        .first()
        .click();
  }

  boolean isFocused(String selector) {
    return (boolean)
        page.evaluate("selector => document.activeElement.matches(selector)", selector);
  }

  void theme(ColorScheme scheme) {
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
  }

  /// What a browser fetches that has nothing yet until the first view stands, in bytes.
  long transferredByFirstView() {
    var devtools = context.newCDPSession(page);
    var bytes = new AtomicLong();
    devtools.send("Network.enable");
    var noCache = new JsonObject();
    noCache.addProperty("cacheDisabled", true);
    devtools.send("Network.setCacheDisabled", noCache);
    devtools.on(
        "Network.loadingFinished",
        event -> bytes.addAndGet(event.get("encodedDataLength").getAsLong()));
    page.navigate("about:blank");
    settle("overview");
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

  /// What axe-core finds that is serious or worse, one line each.
  @SuppressWarnings("unchecked")
  List<String> barriers() throws IOException {
    if (page.evaluate("typeof axe").equals("undefined")) page.evaluate(Chromium.axe());
    var found =
        (List<Map<String, Object>>)
            page.evaluate(
                """
                async () => (await axe.run(document, { resultTypes: ['violations'], preload: false })).violations
                  .filter(v => ['serious', 'critical'].includes(v.impact))
                  .map(v => ({ id: v.id, where: v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ') }))
                """);
    return found.stream().map(each -> each.get("id") + ": " + each.get("where")).toList();
  }

  /// Nothing went wrong so far.
  void assertWell() {
    assertThat(faults).isEmpty();
  }

  boolean isWell() {
    return faults.isEmpty();
  }

  @Override
  public void close() {
    page.close();
  }
}
