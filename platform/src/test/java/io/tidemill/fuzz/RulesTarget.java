package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.processor.step.MemoryCall;
import io.tidemill.processor.step.RejectStore;
import io.tidemill.processor.step.ValidateStep;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;

/// Schemas and rules of `validate`: each is used or refused, and every record is counted once.
public final class RulesTarget {
  private static final ValidateStep STEP =
      new ValidateStep(
          new RejectStore((name, _) -> name, Path.of(System.getProperty("java.io.tmpdir"))));

  private RulesTarget() {}

  /// Loads what is slow to load.
  public static void fuzzerInitialize() {
    run("{\"type\":\"object\"}", "schema");
  }

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var option = data.pickValue(new String[] {"schema", "rules"});
    run(data.consumeRemainingAsString(), option);
  }

  private static void run(String tree, String option) {
    try {
      var options = Json.object();
      options.set(option, Json.parse(tree));
      var call = MemoryCall.of(Json.text(options), "{\"a\":1}", "{\"a\":{\"a\":\"x\"}}", "[]");
      var counts = ((StepOutcome.Done) STEP.run(call)).counts();
      if (counts.total() != 3 || counts.successful() + counts.failed() != 3) {
        throw new AssertionError(counts);
      }
    } catch (JacksonException notJson) {
      // The gateway has refused it.
    } catch (WorkFailure refused) {
      if (!refused.code().equals("INVALID_OPTIONS")) throw new AssertionError(refused);
    } catch (Exception unexpected) {
      throw new AssertionError(unexpected);
    }
  }
}
