package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadLetterFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Which dead letters somebody wants redriven or discarded, and how fast.
///
/// @param source the name of one, or [DeadLetterCatalog#ALL]
/// @param ids null = all that the filter lets through
/// @param rate how many a second at most
/// @param isDry whether to tell only what would be done
public record RedriveRequest(
    Redrive.Action action,
    String source,
    DeadLetterFilter filter,
    @Nullable List<String> ids,
    int rate,
    boolean isDry) {
  Redrive.Order order(String by) {
    return new Redrive.Order(action, by, source, shownFilter(), rate);
  }

  private ObjectNode shownFilter() {
    var shown = filter.encode();
    if (ids != null) shown.put("ids", ids.size());
    return shown;
  }
}
