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
import io.tidemill.crawl.CrawlCounters;
import io.tidemill.crawl.CrawlRecord;
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
  /// The error code when no crawl of the step succeeded.
  public static final String FAILED = "CRAWL_FAILED";

  private static final long LONGEST_WAIT = 15;
  private static final int MOST_TRIES = 100;
  private static final int MOST_SHOWN = 50;

  private final CrawlStarter starter;
  private final CrawlCanceler canceler;
  private final CrawlStore store;
  private final InputSource pages;
  private final CrawlStepRequests requests;

  /// @param pages finds the pages of a crawl by its id
  public CrawlStep(CrawlStarter starter, CrawlStore store, InputSource pages, StepsConfig config) {
    this.starter = starter;
    this.canceler = new CrawlCanceler(store);
    this.store = store;
    this.pages = pages;
    this.requests = new CrawlStepRequests(config);
  }

  @Override
  public String name() {
    return "crawl";
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    requests.check(options);
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    try {
      var state = call.state();
      return state == null ? start(call) : poll(call, state);
    } catch (RedisException silent) {
      throw RecordFailures.of(silent);
    }
  }

  /// The crawls that it waits for end, too.
  @Override
  public void canceled(StepCall call) throws IOException {
    var state = call.state();
    for (var key : state == null ? unrecorded(call) : keys(state)) {
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

  // The step was canceled before its state with the started crawls was saved.
  private List<CrawlKey> unrecorded(StepCall call) throws IOException {
    var unrecorded = new ArrayList<CrawlKey>();
    try {
      var submissions = requests.of(call);
      for (var i = 0; i < submissions.size(); i++) {
        var email = submissions.get(i).email().text();
        for (var attempt = 0; attempt < MOST_TRIES; attempt++) {
          var key = new CrawlKey(email, id(call, i, attempt));
          var crawl = store.find(key);
          if (crawl.isEmpty()) break;
          if (!crawl.get().status().isTerminal()) unrecorded.add(key);
        }
      }
    } catch (WorkFailure wrong) {
      // Invalid options: the step has not started any crawl.
    }
    return unrecorded;
  }

  // ---- starting

  private StepOutcome start(StepCall call) throws WorkFailure, IOException {
    var submissions = requests.of(call);
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

  // A repeated step uses the same id, so that no second crawl starts; it uses another one only
  // after a crawl that ended without success.
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

  private StepOutcome poll(StepCall call, ObjectNode state) throws Exception {
    var ends = new ArrayList<EndedCrawl>();
    var listed = keys(state);
    for (var key : listed) {
      var end = end(key);
      if (end != null) ends.add(end);
    }
    if (ends.size() < listed.size()) return pollAgain(call, state, ends.size(), listed.size());
    try {
      return done(call, ends);
    } catch (WorkFailure failure) {
      // A crawl's last pages are stored shortly after its end.
      if (failure.code().equals("CRAWL_NOT_FINISHED")) {
        return pollAgain(call, state, ends.size(), listed.size());
      }
      throw failure;
    }
  }

  private static StepOutcome pollAgain(StepCall call, ObjectNode state, int ended, int all) {
    var polls = state.path("polls").asInt(0) + 1;
    call.progress((double) ended / (all + 1), "%d of %d crawls ended".formatted(ended, all));
    var wait = Math.min(LONGEST_WAIT, 1L << Math.min(polls, 10));
    return new StepOutcome.Waiting(state.deepCopy().put("polls", polls), Duration.ofSeconds(wait));
  }

  private record EndedCrawl(Crawl crawl, long fetched, long failed) {
    boolean isCompleted() {
      return crawl.status() == CrawlStatus.COMPLETED;
    }

    String reason() {
      return crawl.result().path("errorMessage").asString(crawl.status().wire());
    }
  }

  private @Nullable EndedCrawl end(CrawlKey key) throws WorkFailure {
    var crawl = store.find(key).orElse(null);
    if (crawl == null) throw WorkFailure.permanent(FAILED, "crawl " + key.id() + " is gone");
    if (!crawl.status().isTerminal()) return null;
    var counters = store.record(key.id()).map(CrawlRecord::counters).orElse(CrawlCounters.NONE);
    return new EndedCrawl(crawl, counters.fetched(), counters.failed());
  }

  // ---- ending

  private StepOutcome done(StepCall call, List<EndedCrawl> ends) throws Exception {
    var completed = ends.stream().filter(EndedCrawl::isCompleted).toList();
    if (completed.isEmpty()) {
      throw WorkFailure.permanent(
          FAILED,
          "no crawl succeeded; %s: %s"
              .formatted(ends.getFirst().crawl().url(), ends.getFirst().reason()));
    }
    try (var output = call.output()) {
      var written = 0L;
      for (var end : completed) written += copy(end.crawl().id(), output);
      var fetched = completed.stream().mapToLong(EndedCrawl::fetched).sum();
      // A crawl that failed before it had any page counts as one.
      var failed =
          ends.stream().mapToLong(end -> Math.max(end.failed(), end.isCompleted() ? 0 : 1)).sum();
      var result = result(ends, completed.size());
      result.put("pagesFetched", fetched).put("pagesFailed", failed).put("recordsWritten", written);
      return new StepOutcome.Done(
          result, output.finish(), new Counts(fetched + failed, fetched, failed));
    }
  }

  private static ObjectNode result(List<EndedCrawl> ends, int completed) {
    var result =
        Json.object()
            .put("crawls", ends.size())
            .put("crawlsCompleted", completed)
            .put("crawlsFailed", ends.size() - completed);
    var ids = result.putArray("crawlIds");
    ends.stream().limit(MOST_SHOWN).forEach(end -> ids.add(end.crawl().id()));
    if (completed == ends.size()) return result;
    var failures = result.putArray("failures");
    ends.stream()
        .filter(end -> !end.isCompleted())
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
