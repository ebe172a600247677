package io.tidemill.dashboard;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What every test in the browser begins with: the tab of Ada, who may do everything; and how it
/// ends: nothing went wrong in it. She goes from view to view as people do; a test that changes the
/// tab itself takes a new one. Product and browser are [DashboardIT]'s, one for all.
@SuppressWarnings("NullAway") // what is static is set before any test
abstract class Scenes {
  static Chromium chromium;
  static DashboardProduct mill;
  private static BrowserContext ada;
  private static PageInspector kept;

  @RegisterExtension
  final AfterTestExecutionCallback unlessItFailed =
      ended -> {
        if (ended.getExecutionException().isPresent()) isOdd = true;
      };

  PageInspector sight;
  Page page;
  private boolean isOdd;

  @BeforeEach
  void look() {
    mill.needWorker();
    if (ada == null) {
      ada = newcomer(1360, 900);
      kept = new PageInspector(ada, mill.address());
      kept.signIn(DashboardProduct.ADMIN);
    }
    if (kept == null) kept = new PageInspector(ada, mill.address());
    sight = kept;
    page = sight.page();
  }

  /// Takes a tab of its own, to be closed at the end.
  void anew() {
    isOdd = true;
    kept = null;
    sight.close();
    sight = new PageInspector(ada, mill.address());
    page = sight.page();
  }

  @AfterEach
  void nothingWentWrong() {
    try {
      sight.assertWell();
    } finally {
      if (isOdd || !sight.isWell()) {
        sight.close();
        kept = null;
      }
    }
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
    kept = null;
  }
}
