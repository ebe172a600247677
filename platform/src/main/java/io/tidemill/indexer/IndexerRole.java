package io.tidemill.indexer;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.embedding.Embedder;
import io.tidemill.observe.Traces;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.IndexRegistry;
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

/// The indexer role put together: pages from the queue into Lucene, their vectors behind them,
/// while its index is the one of this installation.
public final class IndexerRole implements Service {
  /// Settings of all its parts.
  ///
  /// @param folder of the index
  public record Config(IndexerConfig indexer, SearchConfig search, Path folder) {}

  private final Config config;
  private final AmqpConfig amqp;
  private final @Nullable Embedder embedder;
  private final MessageSamples samples;
  private final Traces traces;
  private final MeterRegistry metrics;
  private final InstantSource clock;
  private final LuceneIndex index;
  private final AmqpPublisher deadLetters;
  private final IndexClaim claim;
  private volatile @Nullable PageIndexer indexer;

  /// @param registry of the installation's index; null when no other process asks for it
  /// @param embedder makes vectors; null or disabled for none
  public IndexerRole(
      Config config,
      AmqpConfig amqp,
      @Nullable IndexRegistry registry,
      @Nullable Embedder embedder,
      MessageSamples samples,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    this.config = config;
    this.amqp = amqp;
    this.embedder = embedder;
    this.samples = samples;
    this.traces = traces;
    this.metrics = metrics;
    this.clock = clock;
    index = new LuceneIndex(config.folder(), config.search(), clock);
    deadLetters = new AmqpPublisher(amqp, "indexer", metrics);
    claim =
        new IndexClaim(registry, index, config.folder(), config.indexer().takeOver(), this::parts);
  }

  private Services parts() {
    var pages =
        new PageIndexer(
            config.indexer(), amqp, index, deadLetters, samples, traces, clock, metrics);
    indexer = pages;
    var parts = new ArrayList<Service>(List.of(pages));
    if (embedder != null && embedder.isEnabled()) {
      parts.add(new PassageMaker(config.folder(), embedder, metrics));
    }
    return new Services(parts);
  }

  @Override
  public String name() {
    return "indexer role";
  }

  @Override
  public void start() {
    claim.start();
  }

  @Override
  public void stop() {
    claim.stop();
    deadLetters.close();
    index.close();
  }

  /// How the reading of pages goes.
  public HealthCheck health() {
    return () -> {
      var state = claim.state();
      var pages = indexer;
      return pages == null ? state : pages.check();
    };
  }

  /// Whether its index is the one of this installation.
  public HealthCheck indexHealth() {
    return claim::state;
  }
}
