package io.tidemill.deadletter.redrive;

import io.tidemill.redis.StoreRetry;
import java.util.UUID;

/// Starts redrives: chooses the dead letters and freezes the choice. [RedriveRunner] does the rest.
public final class RedriveStarter {
  private final RedriveStore redrives;
  private final DeadLetterCatalog catalog;

  public RedriveStarter(RedriveStore redrives, DeadLetterCatalog catalog) {
    this.redrives = redrives;
    this.catalog = catalog;
  }

  /// What came of a request.
  public sealed interface Result {
    RedriveSelection selection();

    /// Nothing was done, as was asked for.
    record Planned(RedriveSelection selection) implements Result {}

    /// There is nothing to do.
    record Empty(RedriveSelection selection) implements Result {}

    record Started(String id, RedriveSelection selection) implements Result {}
  }

  /// @param by who asks
  public Result start(RedriveRequest request, String by) {
    if (!request.isDry()) catalog.changed(); // what is frozen is what is there now
    var selection = RedriveSelection.of(request, catalog.seen(request.source()));
    if (request.isDry()) return new Result.Planned(selection);
    if (selection.chosen().isEmpty()) return new Result.Empty(selection);
    var id = "rd-" + UUID.randomUUID();
    StoreRetry.answer(() -> {
      redrives.create(id, selection.chosen(), request.order(by));
      return id;
    });
    return new Result.Started(id, selection);
  }
}
