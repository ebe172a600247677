package io.tidemill.app;

import io.tidemill.app.wiring.IndexFolder;
import io.tidemill.cli.client.Commands.VectorsProgress;
import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.embedding.Embedder;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.passage.PassageUpdater;
import io.tidemill.search.query.PageSearch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// Makes the vectors that an index lacks; where an indexer runs, that one does it, and this only
/// watches.
final class VectorRun {
  private static final Duration POLL = Duration.ofMillis(500);

  private final Settings settings;
  private final VectorsProgress progress;

  VectorRun(Settings settings, VectorsProgress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  void run(boolean again) throws InterruptedException {
    try (var embedder = IndexFolder.embedder(settings)) {
      if (!embedder.isEnabled()) {
        throw new SettingsException("embedding.enabled is false: expected true to make vectors");
      }
      if (!PageSearch.isIndex(IndexFolder.of(settings))) {
        throw new SettingsException("there is no index in " + IndexFolder.of(settings));
      }
      // An indexer that makes them now may stop before it is done; then this process continues.
      while (true) {
        var update = open(() -> new PassageUpdater(IndexFolder.of(settings), embedder), again);
        if (update.isPresent()) {
          try (var own = update.get()) {
            make(own, again);
          }
          return;
        }
        if (isDoneElsewhere(embedder)) return;
        Thread.sleep(POLL);
      }
    }
  }

  private interface Opening {
    PassageUpdater open();
  }

  private static Optional<PassageUpdater> open(Opening opening, boolean again) {
    try {
      return Optional.of(opening.open());
    } catch (SearchException taken) {
      if (!taken.isTaken()) throw taken;
      if (again) {
        throw new SettingsException(
            "an indexer runs and makes the vectors: stop it before --again", taken);
      }
      return Optional.empty();
    }
  }

  private void make(PassageUpdater update, boolean again) throws InterruptedException {
    if (again) update.clear();
    progress.at(update.behind(), false);
    while (update.round()) progress.at(update.behind(), false);
    progress.at(0, false);
  }

  private boolean isDoneElsewhere(Embedder embedder) {
    var config = settings.section(SearchConfig.class);
    try (var pages =
        new PageSearch(IndexFolder.of(settings), config, InstantSource.system(), embedder)) {
      var left = pages.passageStats().behind();
      progress.at(left, true);
      return left == 0;
    }
  }
}
