package io.tidemill.support;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Lets every condition wait a minute for a machine that is busy with other things. Found by JUnit
/// itself; a test that waits for what never comes fails a little later, and no other one does.
public final class Waiting implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
  }
}
