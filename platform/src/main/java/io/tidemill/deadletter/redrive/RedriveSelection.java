package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadLetter;
import io.tidemill.deadletter.DeadLetterRef;
import io.tidemill.deadletter.redrive.DeadLetterCatalog.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The dead letters that a [RedriveRequest] takes, and those that it can't take.
///
/// @param left how many more there are than one redrive may have
public record RedriveSelection(List<DeadLetterRef> chosen, List<Refused> refused, int left) {
  /// @param id of the dead letter, or the name of a source that does not answer
  public record Refused(String id, String why) {}

  /// @param seen what the sources have, as far as they answer
  static RedriveSelection of(RedriveRequest request, List<Seen> seen) {
    return request.ids() == null ? matching(request, seen) : named(request, request.ids(), seen);
  }

  // The oldest first, in the order in which they died: in a queue those are found at once.
  private static RedriveSelection matching(RedriveRequest request, List<Seen> seen) {
    var chosen = new ArrayList<DeadLetterRef>();
    var refused = new ArrayList<Refused>();
    DeadLetterCatalog.matching(seen, request.filter())
        .sorted(DeadLetter.NEWEST.reversed())
        .forEach(letter -> {
          var fault = fault(letter, request);
          if (fault == null) chosen.add(new DeadLetterRef(letter.source(), letter.id()));
          else refused.add(new Refused(letter.id(), fault));
        });
    seen.stream()
        .filter(each -> each.trouble() != null)
        .forEach(each -> refused.add(new Refused(each.source(), String.valueOf(each.trouble()))));
    return limited(chosen, refused);
  }

  private static RedriveSelection named(RedriveRequest request, List<String> ids, List<Seen> seen) {
    Map<String, DeadLetter> known = new HashMap<>();
    seen.forEach(each -> each.deadLetters().forEach(letter -> known.put(letter.id(), letter)));
    var chosen = new ArrayList<DeadLetterRef>();
    var refused = new ArrayList<Refused>();
    for (var id : ids) {
      var letter = known.get(id);
      var why = refusal(letter, request);
      if (letter != null && why == null) chosen.add(new DeadLetterRef(letter.source(), id));
      else refused.add(new Refused(id, String.valueOf(why)));
    }
    return limited(chosen, refused);
  }

  private static @Nullable String refusal(@Nullable DeadLetter letter, RedriveRequest request) {
    if (letter == null) return "it is not there, or not among the newest 10,000 of its source";
    var fault = fault(letter, request);
    if (fault != null) return fault;
    if (request.filter().test(letter)) return null;
    return switch (letter.state()) {
      case WAITING -> "the filter leaves it out";
      case REDRIVEN -> "it was redriven before";
      case DISCARDED -> "it was discarded before";
    };
  }

  // Anything can be thrown away.
  private static @Nullable String fault(DeadLetter letter, RedriveRequest request) {
    return switch (request.action()) {
      case REDRIVE -> letter.fault();
      case DISCARD -> null;
    };
  }

  private static RedriveSelection limited(List<DeadLetterRef> chosen, List<Refused> refused) {
    var most = chosen.subList(0, Math.min(chosen.size(), RedriveStore.MAX_DEAD_LETTERS));
    return new RedriveSelection(most, refused, chosen.size() - most.size());
  }
}
