package io.tidemill.deadletter.source;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.crawl.CrawlStart;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.json.Json;
import io.tidemill.service.Unavailable;
import io.tidemill.workflow.ExecutionRetry;
import io.tidemill.workflow.ExecutionStart;
import io.tidemill.workflow.ExecutionStarter;
import tools.jackson.databind.node.ObjectNode;

/// Restarts dead tasks and fetches failed pages again, each by the use case of its subject.
public final class RestartResults {
  private RestartResults() {}

  /// Starts a crawl of one page.
  @FunctionalInterface
  public interface PageStart {
    CrawlStart start(String owner, String url, String key);
  }

  /// Tasks begin again as `POST /api/tasks/{id}/retry` has it.
  public static TaskRetry tasks(ExecutionStarter starter) {
    return (id, data) -> {
      var form = data == null ? new byte[0] : Json.bytes(Json.object().set("data", data));
      return switch (ExecutionForms.again(ExecutionKind.TASK, form)) {
        case Decoded.Unreadable(var why) -> new RedriveResult.Impossible(why);
        case Decoded.Malformed(var why) -> new RedriveResult.Impossible(why);
        case Decoded.Message(var again) -> result(starter.retry(id, again));
      };
    };
  }

  private static RedriveResult result(ExecutionRetry retry) {
    return switch (retry) {
      case ExecutionStart.Accepted(var id) -> new RedriveResult.TaskRestarted(id);
      case ExecutionStart.InputTooLarge large -> new RedriveResult.TooLarge(large.why());
      case ExecutionStart.EventTooLarge large -> new RedriveResult.TooLarge(large.why());
      case ExecutionRetry.Unknown() -> new RedriveResult.Gone("there is no such task");
      case ExecutionRetry.NotEnded ended ->
          new RedriveResult.NotDead(ended.status(), ended.why(ExecutionKind.TASK));
      case ExecutionRetry.Impossible(var why) -> new RedriveResult.Impossible(why);
      case ExecutionRetry.Unsettled unsettled -> new RedriveResult.Busy(unsettled.why());
      case ExecutionRetry.Postponed postponed ->
          throw new Unavailable(
              postponed.why(ExecutionKind.TASK), postponed.retryAfter(), postponed.cause());
    };
  }

  /// Pages are fetched again by a crawl of their own.
  public static PageDeadLetters.Fetch pages(PageStart crawls) {
    return (owner, url, key) -> result(crawls.start(owner, url, key));
  }

  private static RedriveResult result(CrawlStart start) {
    return switch (start) {
      case CrawlStart.Started(var request) ->
          started(request.id(), (ObjectNode) Json.parse(CrawlCodec.encodeNew(request)));
      case CrawlStart.Repeated(var earlier) ->
          started(earlier.id(), earlier.document().deepCopy().put("idempotent", true));
      case CrawlStart.Conflict conflict -> new RedriveResult.NotDead("", conflict.why());
      case CrawlStart.Busy busy -> new RedriveResult.Busy(busy.why());
      case CrawlStart.Invalid(var why) -> new RedriveResult.Impossible(why);
      case CrawlStart.TooManyCrawls full ->
          new RedriveResult.OverQuota(full.why(), full.retryAfter());
      case CrawlStart.NotPublished(var cause, var retryAfter) ->
          throw new Unavailable(CrawlStarter.UNPUBLISHED, retryAfter, cause);
    };
  }

  private static RedriveResult started(String id, ObjectNode document) {
    return new RedriveResult.CrawlStarted(id, document);
  }
}
