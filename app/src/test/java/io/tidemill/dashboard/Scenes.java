package io.tidemill.dashboard;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What every test in the browser begins with: a tab of Ada's, who may do everything; and how it
/// ends: nothing went wrong in it. Product and browser are [DashboardIT]'s, one for all.
abstract class Scenes {
  static Chromium chromium;
  static Mill mill;
  private static BrowserContext ada;

  Sight sight;
  Page page;

  @BeforeEach
  void openTab() {
    mill.needWorker();
    if (ada == null) {
      ada = newcomer(1360, 900);
      try (var first = new Sight(ada, mill.address())) {
        first.signIn(Mill.ADMIN);
      }
    }
    sight = new Sight(ada, mill.address());
    page = sight.page();
  }

  @AfterEach
  void nothingWentWrong() {
    sight.assertWell();
    sight.close();
  }

  /// A browser that nobody signed in with yet.
  static BrowserContext newcomer(int width, int height) {
    var context =
        chromium
            .browser()
            .newContext(
                new Browser.NewContextOptions()
                    .setViewportSize(width, height)
                    .setReducedMotion(ReducedMotion.REDUCE));
    context.setDefaultTimeout(20_000);
    return context;
  }

  /// What lets another browser in as Ada.
  static List<Cookie> adasCookies() {
    return ada.cookies();
  }

  static void forget() {
    ada = null;
  }
}
