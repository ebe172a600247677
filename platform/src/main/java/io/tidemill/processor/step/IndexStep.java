package io.tidemill.processor.step;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.amqp.AmqpException;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.page.PageNames;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.processor.option.OptionReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/// Publishes records as pages for the index, each confirmed by the broker (C2.8, C4.1).
public record IndexStep(AmqpPublisher publisher, RecordPages pages, RejectStore rejects)
    implements Step {
  @Override
  public String name() {
    return "index";
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    OptionReader.of(StepForms.INDEX, options);
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    check(call.options());
    var sent = new UnconfirmedMessages(publisher::send, publisher::publish);
    try (var rejected = rejects.open(call)) {
      var total =
          RecordPass.over(
              call,
              (record, position) -> {
                try {
                  sent.send(message(call, position, pages.of(record)));
                } catch (IllegalArgumentException noPage) {
                  rejected.add(position, record, List.of(String.valueOf(noPage.getMessage())));
                }
              });
      sent.finish();
      var indexed = total - rejected.count();
      var result =
          Json.object()
              .put("recordsProcessed", total)
              .put("pagesIndexed", indexed)
              .put("recordsFailed", rejected.count());
      rejected.addTo(result, "failed");
      return new StepOutcome.Done(
          result, call.input(), new Counts(total, indexed, rejected.count()));
    } catch (AmqpException refused) {
      throw failure(refused);
    }
  }

  private static OutgoingMessage message(StepCall call, long position, RecordPages.Page page) {
    var headers = new LinkedHashMap<String, Object>(page.facts().headers());
    Traces.current()
        .map(TraceParent::toString)
        .ifPresent(trace -> headers.put("traceparent", trace));
    // A repeated step uses the same id, so that consumers can deduplicate.
    var id = UUID.nameUUIDFromBytes((call.id() + "\n" + position).getBytes(UTF_8)).toString();
    return new OutgoingMessage(
        "", PageNames.QUEUE, page.body(), headers, id, PageNames.CONTENT_TYPE, null);
  }

  private static WorkFailure failure(AmqpException refused) {
    var why = String.valueOf(refused.getMessage());
    return refused.isUnroutable()
        ? WorkFailure.permanent("BROKER_REFUSED", why, refused)
        : WorkFailure.passing("BROKER_UNAVAILABLE", why, refused);
  }
}
