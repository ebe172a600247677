package io.tidemill.indexer;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.embedding.Embedder;
import io.tidemill.observe.Traces;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.trace.MessageSamples;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The indexer role put together: pages from the queue into Lucene, their vectors behind them.
public final class IndexerRole implements Service {
  /// Settings of all its parts.
  ///
  /// @param folder of the index
  public record Config(IndexerConfig indexer, SearchConfig search, Path folder) {}

  private final LuceneIndex index;
  private final AmqpPublisher deadLetters;
  private final PageIndexer indexer;
  private final Services services;

  /// @param embedder makes vectors; null or disabled for none
  public IndexerRole(
      Config config,
      AmqpConfig amqp,
      @Nullable Embedder embedder,
      MessageSamples samples,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    index = new LuceneIndex(config.folder(), config.search(), clock);
    deadLetters = new AmqpPublisher(amqp, "indexer", metrics);
    indexer =
        new PageIndexer(
            config.indexer(), amqp, index, deadLetters, samples, traces, clock, metrics);
    var parts = new ArrayList<Service>(List.of(indexer));
    if (embedder != null && embedder.isEnabled()) {
      parts.add(new PassageMaker(config.folder(), embedder, metrics));
    }
    services = new Services(parts);
  }

  @Override
  public String name() {
    return "indexer role";
  }

  @Override
  public void start() {
    services.start();
  }

  @Override
  public void stop() {
    services.close();
    deadLetters.close();
    index.close();
  }

  /// How the reading of pages goes.
  public HealthCheck health() {
    return indexer::check;
  }
}
