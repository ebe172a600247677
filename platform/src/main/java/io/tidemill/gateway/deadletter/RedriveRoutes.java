package io.tidemill.gateway.deadletter;

import io.tidemill.deadletter.DeadLetter;
import io.tidemill.deadletter.DeadLetterFilter;
import io.tidemill.deadletter.RedriveStore;
import io.tidemill.deadletter.RedriveStore.Action;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.http.SseWriter;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Many dead letters on their way again, or out: `/api/dead/redrives…`.
public final class RedriveRoutes implements Routes {
  private static final int RATE = 50;
  private static final int RATE_MOST = 1_000;
  private static final int LISTED = 100;
  private static final int RESULTS = 100;
  private static final int RESULTS_MOST = 1_000;
  private static final int SHOWN = 100;
  private static final int LONGEST_ID = 700;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final int LOOKS_BEFORE_A_SIGN = 30;

  private final RedriveStore runs;
  private final DeadLetterCatalog letters;

  public RedriveRoutes(RedriveStore runs, DeadLetterCatalog letters) {
    this.runs = runs;
    this.letters = letters;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.post("/api/dead/redrives", this::begin).withMaxBody(8L * 1024 * 1024),
        Route.get("/api/dead/redrives", this::list),
        Route.get("/api/dead/redrives/{id}", this::show),
        Route.get("/api/dead/redrives/{id}/events", this::follow),
        Route.delete("/api/dead/redrives/{id}", this::cancel));
  }

  /// What somebody wants done.
  ///
  /// @param ids null = all that the filter lets through
  private record Wish(
      Action action,
      String source,
      DeadLetterFilter filter,
      @Nullable List<String> ids,
      int rate,
      boolean isDry) {
    // One that is misspelt would let through everything.
    private static final List<String> FIELDS =
        List.of(
            "action", "source", "ids", "cause", "q", "since", "until", "ratePerSecond", "dryRun");

    static Wish of(byte[] body) {
      var form = form(body);
      for (var name : form.propertyNames()) {
        if (!FIELDS.contains(name)) {
          throw new Parameters.Wrong("field " + name, "one of " + String.join(", ", FIELDS));
        }
      }
      var action = action(form.path("action"));
      var ids = ids(form.get("ids"));
      // Who names letters to throw away may name some that were redriven and stayed.
      var any = action == Action.DISCARD && ids != null;
      return new Wish(
          action,
          text(form.path("source")),
          DeadLetterFilter.of(form, any ? null : DeadLetter.State.WAITING),
          ids,
          rate(form),
          isDry(form));
    }

    private static Action action(JsonNode node) {
      if (node.isMissingNode() || node.isNull()) return Action.REDRIVE;
      for (var action : Action.values()) {
        if (action.wire().equals(node.asString(""))) return action;
      }
      throw new Parameters.Wrong("action", "redrive or discard");
    }

    private static JsonNode form(byte[] body) {
      try {
        var form = Json.parse(body);
        if (form.isObject()) return form;
      } catch (JacksonException notJson) {
        // said below
      }
      throw new Parameters.Wrong("the body", "a JSON object");
    }

    private static String text(JsonNode node) {
      if (node.isMissingNode() || node.isNull()) return DeadLetterCatalog.ALL;
      if (node.isString()) return node.stringValue();
      throw new Parameters.Wrong("source", "a text");
    }

    private static @Nullable List<String> ids(@Nullable JsonNode node) {
      if (node == null || node.isNull()) return null;
      if (!node.isArray() || node.isEmpty() || node.size() > RedriveStore.MOST) throw noIds();
      var ids = new LinkedHashSet<String>();
      for (var id : node) {
        if (!id.isString() || id.stringValue().length() > LONGEST_ID) throw noIds();
        ids.add(id.stringValue());
      }
      return List.copyOf(ids);
    }

    private static Parameters.Wrong noIds() {
      return new Parameters.Wrong("ids", "a list of 1 to " + RedriveStore.MOST + " ids");
    }

    private static int rate(JsonNode form) {
      var node = form.path("ratePerSecond");
      if (node.isMissingNode() || node.isNull()) return RATE;
      var isWhole = node.isIntegralNumber() && node.canConvertToInt();
      if (isWhole && node.intValue() >= 1 && node.intValue() <= RATE_MOST) return node.intValue();
      throw new Parameters.Wrong("ratePerSecond", "a whole number from 1 to " + RATE_MOST);
    }

    private static boolean isDry(JsonNode form) {
      var node = form.path("dryRun");
      if (node.isMissingNode() || node.isNull()) return false;
      if (node.isBoolean()) return node.booleanValue();
      throw new Parameters.Wrong("dryRun", "true or false");
    }
  }

  private record Refused(String id, String why) {}

  /// @param left how many more there are than one run may have
  private record Chosen(List<RedriveStore.Wanted> letters, List<Refused> refused, int left) {}

  /// `POST /api/dead/redrives`
  public Response begin(Request request) {
    var wish = Wish.of(request.body());
    if (!wish.isDry()) letters.changed(); // what is frozen is what is there now
    var chosen = choose(wish);
    var what =
        "%s %d of %s".formatted(wish.action().wire(), chosen.letters().size(), wish.source());
    if (wish.isDry()) {
      request.note("dry run: " + what);
      return Response.ok(encode(chosen));
    }
    if (chosen.letters().isEmpty()) {
      return Response.problem(409, "there is nothing to " + wish.action().wire());
    }
    var id = "rd-" + UUID.randomUUID();
    var facts = new LinkedHashMap<String, String>();
    facts.put("action", wish.action().wire());
    facts.put("by", request.identity().who());
    facts.put("source", wish.source());
    facts.put("filter", Json.text(filter(wish)));
    facts.put("rate", String.valueOf(wish.rate()));
    StoreRetry.answer(() -> {
      runs.create(id, chosen.letters(), facts);
      return id;
    });
    request.note(what + ": " + id);
    return Response.accepted(Json.object().put("id", id).put("count", chosen.letters().size()))
        .withHeader("Location", "/api/dead/redrives/" + id);
  }

  private static ObjectNode filter(Wish wish) {
    var filter = wish.filter().encode();
    if (wish.ids() != null) filter.put("ids", wish.ids().size());
    return filter;
  }

  // The oldest first, in the order in which they died: in a queue those are found at once.
  private Chosen choose(Wish wish) {
    var seen = letters.seen(wish.source());
    if (wish.ids() != null) return named(wish, seen);
    var found = new ArrayList<RedriveStore.Wanted>();
    var refused = new ArrayList<Refused>();
    DeadLetterRoutes.matching(seen, wish.filter())
        .sorted(DeadLetter.NEWEST.reversed())
        .forEach(letter -> {
          var fault = fault(letter, wish.action());
          if (fault == null) found.add(new RedriveStore.Wanted(letter.source(), letter.id()));
          else refused.add(new Refused(letter.id(), fault));
        });
    seen.stream()
        .filter(each -> each.trouble() != null)
        .forEach(each -> refused.add(new Refused(each.source(), String.valueOf(each.trouble()))));
    return chosen(found, refused);
  }

  private Chosen named(Wish wish, List<DeadLetterCatalog.Seen> seen) {
    Map<String, DeadLetter> known = new HashMap<>();
    seen.forEach(each -> each.letters().forEach(letter -> known.put(letter.id(), letter)));
    var found = new ArrayList<RedriveStore.Wanted>();
    var refused = new ArrayList<Refused>();
    for (var id : wish.ids() == null ? List.<String>of() : wish.ids()) {
      var letter = known.get(id);
      var why = why(letter, wish);
      if (letter != null && why == null) found.add(new RedriveStore.Wanted(letter.source(), id));
      else refused.add(new Refused(id, String.valueOf(why)));
    }
    return chosen(found, refused);
  }

  private static @Nullable String why(@Nullable DeadLetter letter, Wish wish) {
    if (letter == null) return "it is not there, or not among the newest 10,000 of its source";
    var fault = fault(letter, wish.action());
    if (fault != null) return fault;
    if (wish.filter().test(letter)) return null;
    return switch (letter.state()) {
      case WAITING -> "the filter leaves it out";
      case REDRIVEN -> "it was redriven before";
      case DISCARDED -> "it was discarded before";
    };
  }

  // Anything can be thrown away.
  private static @Nullable String fault(DeadLetter letter, Action action) {
    return switch (action) {
      case REDRIVE -> letter.fault();
      case DISCARD -> null;
    };
  }

  private static Chosen chosen(List<RedriveStore.Wanted> found, List<Refused> refused) {
    var most = found.subList(0, Math.min(found.size(), RedriveStore.MOST));
    return new Chosen(most, refused, found.size() - most.size());
  }

  private static ObjectNode encode(Chosen chosen) {
    var answer = Json.object().put("count", chosen.letters().size());
    var ids = answer.putArray("ids");
    chosen.letters().stream().limit(SHOWN).forEach(letter -> ids.add(letter.id()));
    var refused = answer.putArray("refused");
    chosen.refused().stream()
        .limit(SHOWN)
        .forEach(each -> refused.addObject().put("id", each.id()).put("why", each.why()));
    answer.put("refusedCount", chosen.refused().size());
    return answer.put("left", chosen.left());
  }

  /// `GET /api/dead/redrives`
  public Response list(Request request) {
    var answer = Json.object();
    var list = answer.putArray("redrives");
    StoreRetry.answer(() -> runs.newest(LISTED)).forEach(facts -> list.add(encode(facts)));
    return Response.ok(answer);
  }

  /// `GET /api/dead/redrives/{id}?offset=&limit=`
  public Response show(Request request) {
    var id = request.pathParam("id");
    var parameters = new Parameters(request);
    var offset = parameters.number("offset", 0, 0, RedriveStore.MOST);
    var limit = parameters.number("limit", RESULTS, 1, RESULTS_MOST);
    return StoreRetry.answer(() -> runs.find(id))
        .<Response>map(facts -> {
          var answer = encode(facts);
          var results = answer.putArray("results");
          StoreRetry.answer(() -> runs.results(id, offset, limit))
              .forEach(result -> results.add(Json.parse(result)));
          return Response.ok(answer);
        })
        .orElseGet(RedriveRoutes::unknown);
  }

  private static ObjectNode encode(Map<String, String> facts) {
    var tree = Json.object();
    tree.put("id", facts.getOrDefault("id", ""));
    tree.put("action", facts.getOrDefault("action", Action.REDRIVE.wire()));
    tree.put("state", facts.getOrDefault("state", ""));
    var by = facts.getOrDefault("by", "");
    tree.put("by", by.isEmpty() ? null : by);
    tree.put("source", facts.getOrDefault("source", ""));
    tree.set("filter", Json.parse(facts.getOrDefault("filter", "{}")));
    for (var count : List.of("total", "redriven", "discarded", "failed", "skipped")) {
      tree.put(count, number(facts, count));
    }
    tree.put("ratePerSecond", number(facts, "rate"));
    tree.put("startedAt", number(facts, "startedAt"));
    if (facts.containsKey("endedAt")) tree.put("endedAt", number(facts, "endedAt"));
    else tree.putNull("endedAt");
    var trouble = facts.getOrDefault("trouble", "");
    if (!trouble.isEmpty() && !facts.containsKey("endedAt")) tree.put("waitsFor", trouble);
    return tree;
  }

  private static long number(Map<String, String> facts, String name) {
    return Long.parseLong(facts.getOrDefault(name, "0"));
  }

  /// `GET /api/dead/redrives/{id}/events`
  public Response follow(Request request) {
    var id = request.pathParam("id");
    return StoreRetry.answer(() -> runs.find(id))
        .<Response>map(_ -> Response.events(out -> write(id, out)))
        .orElseGet(RedriveRoutes::unknown);
  }

  private void write(String id, SseWriter out) throws IOException, InterruptedException {
    var told = "";
    for (int silent = 0; ; silent++) {
      var facts = StoreRetry.answer(() -> runs.find(id));
      if (facts.isEmpty()) return;
      var now = Json.text(encode(facts.get()));
      if (facts.get().containsKey("endedAt")) {
        out.event(null, "done", now);
        return;
      }
      if (!now.equals(told)) {
        out.event(null, "progress", now);
        silent = 0;
      } else if (silent % LOOKS_BEFORE_A_SIGN == LOOKS_BEFORE_A_SIGN - 1) {
        out.comment("");
      }
      told = now;
      Thread.sleep(LOOK);
    }
  }

  /// `DELETE /api/dead/redrives/{id}`
  public Response cancel(Request request) {
    var id = request.pathParam("id");
    var before = StoreRetry.answer(() -> runs.find(id));
    if (before.isEmpty()) return unknown();
    var wasRunning = before.get().getOrDefault("state", "").equals("running");
    var state = StoreRetry.answer(() -> runs.cancel(id));
    if (!state.equals("canceled") || !wasRunning) {
      return Response.problem(409, "it has ended: it is " + state);
    }
    return Response.ok(encode(StoreRetry.answer(() -> runs.find(id)).orElse(before.get())));
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such redrive or discard");
  }
}
