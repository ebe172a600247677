package io.tidemill.processor.step;

import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.analytics.Analytics;
import io.tidemill.api.Step;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.processor.export.RecordExporter;
import io.tidemill.processor.input.InputSource;
import io.tidemill.processor.record.SafeName;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Exception;
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
      CrawlStarter starter,
      CrawlStore crawls,
      InputSource pages,
      AmqpPublisher amqp,
      RecordExporter exporter,
      Analytics analytics,
      ObjectStore blobs,
      String bucket,
      UrlNormaliser urls,
      LanguageDetector languages,
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
        new CrawlStep(tools.starter(), tools.crawls(), tools.pages(), tools.config()),
        new IndexStep(tools.amqp(), pages, asides, tools.scratch()),
        new AnalyzeStep(tools.languages()));
  }

  /// Puts files aside as objects of a bucket.
  public static SideFiles asides(ObjectStore blobs, String bucket) {
    return (name, file) -> {
      var key = "rejects/" + SafeName.of(name);
      try {
        put(blobs, bucket, key, file);
      } catch (S3Exception failed) {
        if (!failed.isMissing()) throw failed;
        blobs.createBucketIfMissing(bucket);
        put(blobs, bucket, key, file);
      }
      return "s3://" + bucket + "/" + key;
    };
  }

  private static void put(ObjectStore blobs, String bucket, String key, Path file)
      throws IOException {
    blobs.put(bucket, key, file, "application/x-ndjson", Map.of());
  }
}
