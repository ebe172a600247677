package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.processor.step.MemoryCall;
import io.tidemill.processor.step.RejectStore;
import io.tidemill.processor.step.TransformStep;
import java.nio.file.Path;

/// Expressions of `transform`: each works or is refused with the contract's code, in bounded time.
public final class ExpressionTarget {
  private static final TransformStep STEP =
      new TransformStep(
          new RejectStore((name, _) -> name, Path.of(System.getProperty("java.io.tmpdir"))));

  private ExpressionTarget() {}

  /// Loads what is slow to load.
  public static void fuzzerInitialize() {
    run("$sum(a)", "filter");
  }

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var option = data.pickValue(new String[] {"filter", "expression"});
    run(data.consumeRemainingAsString(), option);
  }

  private static void run(String expression, String option) {
    var options = Json.object().put(option, expression);
    try {
      STEP.run(MemoryCall.of(Json.text(options), "{\"a\":[1,2.5,{\"b\":\"text\"}],\"c\":null}"));
    } catch (WorkFailure refused) {
      if (!refused.code().equals("TRANSFORM_ERROR") && !refused.code().equals("INVALID_OPTIONS")) {
        throw new AssertionError(refused);
      }
    } catch (Exception unexpected) {
      throw new AssertionError(unexpected);
    }
  }
}
