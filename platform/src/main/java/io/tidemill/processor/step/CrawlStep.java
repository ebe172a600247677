package io.tidemill.processor.step;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.crawl.CrawlCanceler;
import io.tidemill.crawl.CrawlStart;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.json.Json;
import io.tidemill.processor.input.InputSource;
import io.tidemill.processor.input.RecordFailures;
import io.tidemill.processor.option.OptionReader;
import io.tidemill.redis.RedisException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Starts crawls as a gateway does (C1.4), waits for their ends without a thread, and gives the
/// pages to the next step (C2.8).
public final class CrawlStep implements Step {
  /// The code when no crawl of the step succeeded.
  public static final String FAILED = "CRAWL_FAILED";

  private static final long LONGEST_WAIT = 15;
  private static final int MOST_TRIES = 100;
  private static final int MOST_SHOWN = 50;

  private final CrawlStarter starter;
  private final CrawlCanceler canceler;
  private final CrawlStore store;
  private final InputSource pages;
  private final CrawlStepRequests orders;

  /// @param pages finds the pages of a crawl by its id
  public CrawlStep(CrawlStarter starter, CrawlStore store, InputSource pages, StepsConfig config) {
    this.starter = starter;
    this.canceler = new CrawlCanceler(store);
    this.store = store;
    this.pages = pages;
    this.orders = new CrawlStepRequests(config);
  }

  @Override
  public String name() {
    return "crawl";
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    orders.check(options);
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    try {
      var state = call.state();
      return state == null ? start(call) : look(call, state);
    } catch (RedisException silent) {
      throw RecordFailures.of(silent);
    }
  }

  /// The crawls that it waits for end, too.
  @Override
  public void canceled(StepCall call) throws IOException {
    var state = call.state();
    for (var key : state == null ? begun(call) : keys(state)) {
      canceler.cancel(key, "its workflow was canceled");
    }
  }

  private static List<CrawlKey> keys(ObjectNode state) {
    return state
        .path("crawls")
        .valueStream()
        .map(crawl -> new CrawlKey(crawl.path("email").asString(""), crawl.path("id").asString("")))
        .toList();
  }

  // It was canceled before it was written down which ones it had started.
  private List<CrawlKey> begun(StepCall call) throws IOException {
    var begun = new ArrayList<CrawlKey>();
    try {
      var submissions = orders.of(call);
      for (var i = 0; i < submissions.size(); i++) {
        var email = submissions.get(i).email().text();
        for (var attempt = 0; attempt < MOST_TRIES; attempt++) {
          var key = new CrawlKey(email, id(call, i, attempt));
          var crawl = store.find(key);
          if (crawl.isEmpty()) break;
          if (!crawl.get().status().isTerminal()) begun.add(key);
        }
      }
    } catch (WorkFailure wrong) {
      // Then it has not started any.
    }
    return begun;
  }

  // ---- starting

  private StepOutcome start(StepCall call) throws WorkFailure, IOException {
    var submissions = orders.of(call);
    var state = Json.object().put("polls", 0);
    var crawls = state.putArray("crawls");
    for (var i = 0; i < submissions.size(); i++) {
      crawls
          .addObject()
          .put("id", started(call, i, submissions.get(i)))
          .put("email", submissions.get(i).email().text());
    }
    var count = submissions.size();
    call.progress(0, count + (count == 1 ? " crawl started" : " crawls started"));
    return new StepOutcome.Waiting(state, Duration.ofSeconds(1));
  }

  // The same id again when this is repeated, so that no second crawl starts; another one only when
  // that crawl is over and did not succeed, which a step that begins anew is there to mend.
  private String started(StepCall call, int number, CrawlSubmission submission) throws WorkFailure {
    for (var attempt = 0; attempt < MOST_TRIES; attempt++) {
      var id = id(call, number, attempt);
      var earlier = store.find(new CrawlKey(submission.email().text(), id));
      var status = earlier.map(Crawl::status).orElse(CrawlStatus.PENDING);
      if (status == CrawlStatus.COMPLETED) return id;
      if (status.isTerminal()) continue;
      return switch (starter.start(id, submission)) {
        case CrawlStart.Started _, CrawlStart.Repeated _ -> id;
        case CrawlStart.Invalid(var why) ->
            throw WorkFailure.permanent(OptionReader.INVALID, "crawl: " + why);
        case CrawlStart.TooManyCrawls full -> throw WorkFailure.permanent(FAILED, full.why());
        case CrawlStart.NotPublished(var refused, var _) ->
            throw WorkFailure.passing(
                "BROKER_UNAVAILABLE", String.valueOf(refused.getMessage()), refused);
      };
    }
    throw WorkFailure.permanent(FAILED, "crawl: it failed too often");
  }

  private static String id(StepCall call, int number, int attempt) {
    var name = "%s\n%d\n%d".formatted(call.id(), number, attempt);
    return UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString();
  }

  // ---- waiting

  private StepOutcome look(StepCall call, ObjectNode state) throws Exception {
    var ends = new ArrayList<CrawlEnd>();
    var listed = keys(state);
    for (var key : listed) {
      var end = end(key);
      if (end != null) ends.add(end);
    }
    if (ends.size() < listed.size()) return later(call, state, ends.size(), listed.size());
    try {
      return done(call, ends);
    } catch (WorkFailure failure) {
      // A crawl's last pages are kept a moment after its end.
      if (failure.code().equals("CRAWL_NOT_FINISHED")) {
        return later(call, state, ends.size(), listed.size());
      }
      throw failure;
    }
  }

  private static StepOutcome later(StepCall call, ObjectNode state, int ended, int all) {
    var polls = state.path("polls").asInt(0) + 1;
    call.progress((double) ended / (all + 1), "%d of %d crawls ended".formatted(ended, all));
    var wait = Math.min(LONGEST_WAIT, 1L << Math.min(polls, 10));
    return new StepOutcome.Waiting(state.deepCopy().put("polls", polls), Duration.ofSeconds(wait));
  }

  private record CrawlEnd(Crawl crawl, long fetched, long failed) {
    boolean isGood() {
      return crawl.status() == CrawlStatus.COMPLETED;
    }

    String reason() {
      return crawl.result().path("errorMessage").asString(crawl.status().wire());
    }
  }

  private @Nullable CrawlEnd end(CrawlKey key) throws WorkFailure {
    var crawl = store.find(key).orElse(null);
    if (crawl == null) throw WorkFailure.permanent(FAILED, "crawl " + key.id() + " is gone");
    if (!crawl.status().isTerminal()) return null;
    var facts = store.facts(key.id());
    return new CrawlEnd(
        crawl,
        Long.parseLong(facts.getOrDefault("fetched", "0")),
        Long.parseLong(facts.getOrDefault("failed", "0")));
  }

  // ---- ending

  private StepOutcome done(StepCall call, List<CrawlEnd> ends) throws Exception {
    var good = ends.stream().filter(CrawlEnd::isGood).toList();
    if (good.isEmpty()) {
      throw WorkFailure.permanent(
          FAILED,
          "no crawl succeeded; %s: %s"
              .formatted(ends.getFirst().crawl().url(), ends.getFirst().reason()));
    }
    try (var output = call.output()) {
      var written = 0L;
      for (var end : good) written += copy(end.crawl().id(), output);
      var fetched = good.stream().mapToLong(CrawlEnd::fetched).sum();
      // A crawl that failed before it had any page counts as one.
      var failed =
          ends.stream().mapToLong(end -> Math.max(end.failed(), end.isGood() ? 0 : 1)).sum();
      var result = result(ends, good.size());
      result.put("pagesFetched", fetched).put("pagesFailed", failed).put("recordsWritten", written);
      return new StepOutcome.Done(
          result, output.finish(), new Counts(fetched + failed, fetched, failed));
    }
  }

  private static ObjectNode result(List<CrawlEnd> ends, int good) {
    var result =
        Json.object()
            .put("crawls", ends.size())
            .put("crawlsCompleted", good)
            .put("crawlsFailed", ends.size() - good);
    var ids = result.putArray("crawlIds");
    ends.stream().limit(MOST_SHOWN).forEach(end -> ids.add(end.crawl().id()));
    if (good == ends.size()) return result;
    var failures = result.putArray("failures");
    ends.stream()
        .filter(end -> !end.isGood())
        .limit(MOST_SHOWN)
        .forEach(end ->
            failures
                .addObject()
                .put("url", OptionReader.cut(end.crawl().url(), 200))
                .put("reason", OptionReader.cut(end.reason(), 200)));
    return result;
  }

  private long copy(String id, RecordWriter output) throws Exception {
    var count = 0L;
    var found = pages.records(Json.tree(id), Json.object().put("crawl", id));
    try (var reader = found.open()) {
      for (var page = reader.next(); page != null; page = reader.next()) {
        if (Thread.interrupted()) throw new InterruptedException();
        output.write(page);
        count++;
      }
    }
    return count;
  }
}
