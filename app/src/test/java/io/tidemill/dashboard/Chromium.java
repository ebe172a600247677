package io.tidemill.dashboard;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Debian's browser without a window, driven by the system's own Node.
final class Chromium implements AutoCloseable {
  private static final double PATIENCE_MS = 60_000;
  private static final Path BINARY = Path.of("/usr/bin/chromium");
  private static final Path INSTALLED =
      Path.of("..", "target", "browser").toAbsolutePath().normalize();
  private static final List<Path> NODES =
      List.of(Path.of("/usr/local/bin/node"), Path.of("/usr/bin/node"));

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  /// Skips the test where browser or driver is not installed.
  static void assumeInstalled() {
    assumeTrue(Files.isExecutable(BINARY), "chromium is not installed");
    assumeTrue(Files.isRegularFile(INSTALLED.resolve("installed")), "no driver in target/browser");
  }

  static Chromium start() throws IOException {
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
    System.setProperty("playwright.cli.dir", driver().toString());
    var playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    var options =
        new BrowserType.LaunchOptions()
            .setExecutablePath(BINARY)
            .setArgs(
                List.of(
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync"));
    return new Chromium(playwright, playwright.chromium().launch(options));
  }

  /// A folder as Playwright's own bundle would unpack one.
  private static Path driver() throws IOException {
    var folder = INSTALLED.resolve("driver");
    Files.createDirectories(folder);
    link(folder.resolve("package"), INSTALLED.resolve("node_modules/playwright-core"));
    link(folder.resolve("node"), node());
    return folder;
  }

  private static Path node() {
    var named = System.getenv("PATH").split(":", -1);
    for (var each : named) {
      var node = Path.of(each, "node");
      if (Files.isExecutable(node)) return node;
    }
    return NODES.stream().filter(Files::isExecutable).findFirst().orElseThrow();
  }

  private static void link(Path link, Path target) throws IOException {
    if (Files.exists(link)) return;
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, target);
  }

  Browser browser() {
    return browser;
  }

  /// The script that finds what keeps people from using a page.
  static String axe() throws IOException {
    return Files.readString(INSTALLED.resolve("node_modules/axe-core/axe.min.js"));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
