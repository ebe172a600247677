package io.tidemill.processor.steps;

import io.tidemill.broker.amqp.Publisher;
import io.tidemill.crawling.CrawlStarts;
import io.tidemill.processor.api.Step;
import io.tidemill.processor.export.Exporter;
import io.tidemill.processor.inputs.InputSource;
import io.tidemill.processor.records.SafeName;
import io.tidemill.store.analytics.Analytics;
import io.tidemill.store.blob.BlobException;
import io.tidemill.store.blob.Blobs;
import io.tidemill.store.redis.CrawlStore;
import io.tidemill.text.Languages;
import io.tidemill.url.UrlNormaliser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// Makes the steps that every processor has.
public final class BuiltInSteps {
  /// What they work with.
  ///
  /// @param pages finds the pages of a crawl by its id
  /// @param bucket where records are put aside that a step did not take
  /// @param scratch where files lie while they are written
  public record Tools(
      CrawlStarts starts,
      CrawlStore crawls,
      InputSource pages,
      Publisher amqp,
      Exporter exporter,
      Analytics analytics,
      Blobs blobs,
      String bucket,
      UrlNormaliser urls,
      Languages languages,
      Path scratch,
      StepsConfig config,
      InstantSource clock) {}

  private BuiltInSteps() {}

  /// `validate`, `transform`, `store`, `crawl`, `index` and `analyze` (C2.8).
  public static List<Step> of(Tools tools) {
    var asides = asides(tools.blobs(), tools.bucket());
    var pages = new RecordPages(tools.urls(), tools.languages(), tools.clock());
    return List.of(
        new ValidateStep(asides, tools.scratch()),
        new TransformStep(asides, tools.scratch()),
        new StoreStep(tools.exporter(), tools.analytics()),
        new CrawlStep(tools.starts(), tools.crawls(), tools.pages(), tools.config()),
        new IndexStep(tools.amqp(), pages, asides, tools.scratch()),
        new AnalyzeStep(tools.languages()));
  }

  /// Puts files aside as objects of a bucket.
  public static Asides asides(Blobs blobs, String bucket) {
    return (name, file) -> {
      var key = "rejects/" + SafeName.of(name);
      try {
        put(blobs, bucket, key, file);
      } catch (BlobException failed) {
        if (!failed.isMissing()) throw failed;
        blobs.createBucketIfMissing(bucket);
        put(blobs, bucket, key, file);
      }
      return "s3://" + bucket + "/" + key;
    };
  }

  private static void put(Blobs blobs, String bucket, String key, Path file) throws IOException {
    blobs.put(bucket, key, file, "application/x-ndjson", Map.of());
  }
}
