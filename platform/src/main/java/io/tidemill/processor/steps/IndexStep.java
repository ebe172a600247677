package io.tidemill.processor.steps;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.broker.amqp.AmqpException;
import io.tidemill.broker.amqp.Outgoing;
import io.tidemill.broker.amqp.Publisher;
import io.tidemill.contract.Json;
import io.tidemill.contract.page.PageNames;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.processor.api.Step;
import io.tidemill.processor.api.StepCall;
import io.tidemill.processor.api.StepOutcome;
import io.tidemill.processor.api.StepOutcome.Counts;
import io.tidemill.processor.api.WorkFailure;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Publishes records as pages for the index, each confirmed by the broker (C2.8, C4.1).
public final class IndexStep implements Step {
  private static final int ON_THEIR_WAY = 256;

  private record Sent(Outgoing message, CompletableFuture<Void> confirmed) {}

  private final Publisher publisher;
  private final RecordPages pages;
  private final Asides asides;
  private final Path scratch;

  public IndexStep(Publisher publisher, RecordPages pages, Asides asides, Path scratch) {
    this.publisher = publisher;
    this.pages = pages;
    this.asides = asides;
    this.scratch = scratch;
  }

  @Override
  public String name() {
    return "index";
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    Options.of(name(), call).only(Set.of());
    var sent = new ArrayDeque<Sent>();
    try (var rejects = new Rejects(call, asides, scratch)) {
      var total =
          Pass.over(
              call,
              (record, position) -> {
                try {
                  send(sent, message(call, position, pages.of(record)));
                } catch (IllegalArgumentException noPage) {
                  rejects.add(position, record, List.of(String.valueOf(noPage.getMessage())));
                }
              });
      while (!sent.isEmpty()) await(sent);
      var indexed = total - rejects.count();
      var result =
          Json.object()
              .put("recordsProcessed", total)
              .put("pagesIndexed", indexed)
              .put("recordsFailed", rejects.count());
      rejects.tell(result, "failed");
      return new StepOutcome.Done(
          result, call.input(), new Counts(total, indexed, rejects.count()));
    } catch (AmqpException refused) {
      throw failure(refused);
    }
  }

  private static Outgoing message(StepCall call, long position, RecordPages.Page page) {
    var headers = new LinkedHashMap<String, Object>(page.facts().headers());
    Traces.current()
        .map(TraceParent::toString)
        .ifPresent(trace -> headers.put("traceparent", trace));
    // The same id when the step is repeated: whoever counts messages counts it once.
    var id = UUID.nameUUIDFromBytes((call.id() + "\n" + position).getBytes(UTF_8)).toString();
    return new Outgoing(
        "", PageNames.QUEUE, page.body(), headers, id, PageNames.CONTENT_TYPE, null);
  }

  private void send(Queue<Sent> sent, Outgoing message) throws InterruptedException {
    if (sent.size() >= ON_THEIR_WAY) await(sent);
    sent.add(new Sent(message, publisher.send(message)));
  }

  private void await(Queue<Sent> sent) throws InterruptedException {
    var first = sent.remove();
    try {
      first.confirmed().get();
    } catch (ExecutionException refused) {
      if (!(refused.getCause() instanceof AmqpException why)) {
        throw new IllegalStateException(refused);
      }
      if (!why.isTransient()) throw why;
      // In doubt is sent again: the index takes a page twice as once.
      publisher.publish(first.message());
    }
  }

  private static WorkFailure failure(AmqpException refused) {
    var why = String.valueOf(refused.getMessage());
    return refused.isUnroutable()
        ? WorkFailure.permanent("BROKER_REFUSED", why, refused)
        : WorkFailure.passing("BROKER_UNAVAILABLE", why, refused);
  }
}
