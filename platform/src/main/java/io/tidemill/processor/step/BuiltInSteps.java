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
import io.tidemill.s3.ObjectStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// Creates the built-in steps.
public final class BuiltInSteps {
  /// The dependencies of the steps.
  ///
  /// @param pages finds the pages of a crawl by its id
  /// @param bucket of rejected records
  /// @param scratch the folder for files that are being written
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
    var rejects = RejectStore.in(tools.blobs(), tools.bucket(), tools.scratch());
    var pages = new RecordPages(tools.urls(), tools.languages(), tools.clock());
    return List.of(
        new ValidateStep(rejects),
        new TransformStep(rejects),
        new StoreStep(tools.exporter(), tools.analytics()),
        new CrawlStep(tools.starter(), tools.crawls(), tools.pages(), tools.config()),
        new IndexStep(tools.amqp(), pages, rejects),
        new AnalyzeStep(tools.languages()));
  }
}
