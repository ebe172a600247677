package io.tidemill.worker;

import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.job.JobStore.Ending;
import io.tidemill.json.Json;
import io.tidemill.work.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What an outcome makes of a job: the state, the event, and whether it is settled. No I/O.
final class JobTransition {
  /// Events are pushed to every follower: what is larger stays in the record only.
  static final int MAX_EVENT_DATA = 64 * 1024;

  private static final int MAX_MESSAGE = 4 * 1024;

  private JobTransition() {}

  /// How the job ends; empty when it does not: the entry stays pending and is delivered again.
  static Optional<Ending> of(Outcome outcome, long maxResult) {
    return switch (outcome) {
      case Outcome.Done(var result) -> Optional.of(done(result, maxResult));
      case Outcome.Failed(var code, var message) -> Optional.of(failed(code, message));
      case Outcome.Canceled() ->
          Optional.of(new Ending(JobStatus.CANCELED, "", "", JobNames.STEP_CANCEL, "{}"));
      case Outcome.Retry _, Outcome.Abandoned _ -> Optional.empty();
    };
  }

  /// A bad end, with the same code and message in the record and in the event.
  static Ending failed(String code, String message) {
    var error = Json.text(Json.object().put("code", code).put("message", shown(message)));
    return new Ending(JobStatus.ERROR, "", error, JobNames.STEP_ERROR, error);
  }

  /// A message, cut to what every follower may get.
  static String shown(String message) {
    return message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) + " …" : message;
  }

  private static Ending done(Object result, long maxResult) {
    var json = Json.text(result);
    var size = size(json);
    if (size > maxResult) {
      return failed(
          "RESULT_TOO_LARGE", "the result has %d bytes, %d at most".formatted(size, maxResult));
    }
    var data =
        size > MAX_EVENT_DATA ? "{\"result_size\":" + size + "}" : "{\"result\":" + json + "}";
    return new Ending(JobStatus.DONE, json, "", JobNames.STEP_DONE, data);
  }

  static int size(String json) {
    return json.getBytes(StandardCharsets.UTF_8).length;
  }
}
