package io.tidemill.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.job.JobEvent;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobStatus;
import io.tidemill.json.Json;
import io.tidemill.work.Outcome;
import io.tidemill.work.Settlement;
import org.jspecify.annotations.Nullable;

/// The change that an outcome makes to a running job: its next state, the event that reports it and
/// the settlement of its queue entry. No I/O; [JobQueue#settle] carries it out.
///
/// @param status RUNNING while another attempt follows
/// @param result JSON text, or empty
/// @param error JSON text, or empty
/// @param code of the error, or empty
/// @param event null when there is nothing to report
public record JobTransition(
    JobStatus status,
    String result,
    String error,
    String code,
    @Nullable Event event,
    Settlement settlement) {
  /// Events go to every follower: larger results stay in the record only.
  public static final int MAX_EVENT_DATA = 64 * 1024;

  private static final int MAX_MESSAGE = 4 * 1024;
  private static final Event CANCELED =
      new Event(JobStatus.CANCELED.wire(), JobNames.STEP_CANCEL, "{}");

  /// An event that is not in its stream yet.
  ///
  /// @param data JSON text
  public record Event(String type, String step, String data) {}

  /// @param maxResult bytes of JSON; a longer result is an error
  public static JobTransition after(HeldJob job, Outcome outcome, long maxResult) {
    return switch (outcome) {
      case Outcome.Done(var result) -> done(Json.text(result), maxResult);
      case Outcome.Failed(var code, var message) -> failed(code, message, Settlement.DONE);
      case Outcome.Dead(var code, var message) ->
          failed(code, message, new Settlement.DeadLetter(message));
      case Outcome.Canceled() ->
          new JobTransition(JobStatus.CANCELED, "", "", "", CANCELED, Settlement.DONE);
      case Outcome.Retry(var why) -> pending(nextAttempt(job, why), new Settlement.Retry(cut(why)));
      case Outcome.Deferred(var why) -> pending(nextAttempt(job, why), new Settlement.Defer(why));
      case Outcome.Abandoned() -> pending(null, new Settlement.Defer("abandoned"));
    };
  }

  private static JobTransition done(String json, long maxResult) {
    var size = size(json);
    if (size > maxResult) {
      var message = "the result has %d bytes, %d at most".formatted(size, maxResult);
      return failed("RESULT_TOO_LARGE", message, Settlement.DONE);
    }
    var data =
        size > MAX_EVENT_DATA ? "{\"result_size\":" + size + "}" : "{\"result\":" + json + "}";
    var event = new Event(JobStatus.DONE.wire(), JobNames.STEP_DONE, data);
    return new JobTransition(JobStatus.DONE, json, "", "", event, Settlement.DONE);
  }

  // Record and event have the same code and message.
  private static JobTransition failed(String code, String message, Settlement settlement) {
    var error = Json.text(Json.object().put("code", code).put("message", cut(message)));
    var event = new Event(JobStatus.ERROR.wire(), JobNames.STEP_ERROR, error);
    return new JobTransition(JobStatus.ERROR, "", error, code, event, settlement);
  }

  private static JobTransition pending(@Nullable Event event, Settlement settlement) {
    return new JobTransition(JobStatus.RUNNING, "", "", "", event, settlement);
  }

  private static Event nextAttempt(HeldJob job, String why) {
    var message = cut("will be tried again: " + why);
    var data = Json.text(Json.object().put("message", message));
    return new Event(JobEvent.LOG, JobNames.step(job.task()), data);
  }

  private static String cut(String message) {
    return message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) + " …" : message;
  }

  /// Bytes of a JSON text.
  public static int size(String json) {
    return json.getBytes(UTF_8).length;
  }
}
