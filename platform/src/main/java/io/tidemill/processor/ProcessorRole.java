package io.tidemill.processor;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.crawling.CrawlStarts;
import io.tidemill.fetch.Fetcher;
import io.tidemill.http.HealthCheck;
import io.tidemill.observe.Traces;
import io.tidemill.processor.api.Step;
import io.tidemill.processor.api.TaskType;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.processor.export.DataExportTask;
import io.tidemill.processor.export.ExportConfig;
import io.tidemill.processor.export.ExportStep;
import io.tidemill.processor.export.Exporter;
import io.tidemill.processor.inputs.AnalyticsSource;
import io.tidemill.processor.inputs.CrawlSource;
import io.tidemill.processor.inputs.Inputs;
import io.tidemill.processor.inputs.ObjectSource;
import io.tidemill.processor.inputs.SearchSource;
import io.tidemill.processor.mail.EmailTask;
import io.tidemill.processor.mail.Mailer;
import io.tidemill.processor.mail.NotifyStep;
import io.tidemill.processor.mail.SmtpConfig;
import io.tidemill.processor.mail.Templates;
import io.tidemill.processor.records.RecordShelf;
import io.tidemill.processor.records.Records;
import io.tidemill.processor.records.RecordsConfig;
import io.tidemill.processor.records.Scratch;
import io.tidemill.processor.report.ReportShelf;
import io.tidemill.processor.report.ReportTask;
import io.tidemill.processor.steps.BuiltInSteps;
import io.tidemill.processor.steps.Steps;
import io.tidemill.processor.steps.StepsConfig;
import io.tidemill.service.Service;
import io.tidemill.store.analytics.Analytics;
import io.tidemill.store.analytics.AnalyticsConfig;
import io.tidemill.store.analytics.TableFiles;
import io.tidemill.store.blob.BlobConfig;
import io.tidemill.store.blob.Blobs;
import io.tidemill.store.redis.CrawlStore;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.search.PageSearch;
import io.tidemill.store.search.SearchConfig;
import io.tidemill.text.Languages;
import io.tidemill.url.UrlNormaliser;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The processor role put together: the engine with every step and task that we have.
public final class ProcessorRole implements Service {
  private static final Logger log = LoggerFactory.getLogger(ProcessorRole.class);

  /// Settings of all its parts.
  ///
  /// @param crawlBucket where crawlers keep their batches
  /// @param crawlDoubt after which a gateway publishes a crawl in our stead
  /// @param data folder of this process: `plugins`, `templates` and `scratch` are below it
  /// @param owner a name of this process that no other has
  public record Config(
      ProcessorConfig processor,
      FlowsConfig flows,
      StepsConfig steps,
      RecordsConfig records,
      ExportConfig export,
      AnalyticsConfig analytics,
      SmtpConfig smtp,
      String crawlBucket,
      Duration crawlDoubt,
      Path data,
      String owner) {}

  /// The servers that it talks to, and what it shares with the rest of the process.
  public record Servers(
      Redis redis, KafkaConfig kafka, AmqpConfig amqp, BlobConfig blobs, Fetcher fetcher) {}

  /// What it looks into.
  public record Views(
      PageSearch pages,
      SearchConfig search,
      CrawlStore crawls,
      UrlNormaliser urls,
      Analytics analytics) {}

  private final Deque<AutoCloseable> clients = new ArrayDeque<>();
  private final FlowProcessor engine;

  public ProcessorRole(
      Config config,
      Servers servers,
      Views views,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    var blobs = open(new Blobs(servers.blobs()));
    var scratch = open(Scratch.in(config.data().resolve("scratch"))).folder();
    var analytics = views.analytics();
    var exporter =
        new Exporter(blobs, config.export(), new TableFiles(config.analytics(), scratch), scratch);
    var crawled = new CrawlSource(views.crawls(), blobs, config.crawlBucket());
    var inputs =
        new Inputs(
            Map.of(
                "object", new ObjectSource(blobs, config.records().inputBuckets()),
                "crawl", crawled,
                "search", new SearchSource(views.pages(), views.search()),
                "analytics", new AnalyticsSource(analytics)));
    var mailer = new Mailer(config.smtp());
    var templates = new Templates(config.data().resolve("templates"));
    var kafka = open(new io.tidemill.broker.kafka.Publisher(servers.kafka(), "steps"));
    var steps = new ArrayList<Step>();
    steps.addAll(
        BuiltInSteps.of(
            new BuiltInSteps.Tools(
                new CrawlStarts(views.crawls(), kafka, config.crawlDoubt(), clock),
                views.crawls(),
                crawled,
                open(new io.tidemill.broker.amqp.Publisher(servers.amqp(), "processor", metrics)),
                exporter,
                analytics,
                blobs,
                config.records().bucket(),
                views.urls(),
                new Languages(),
                scratch,
                config.steps(),
                clock)));
    steps.add(new ExportStep(exporter));
    steps.add(new NotifyStep(mailer, templates, servers.fetcher()));
    var reports =
        new ReportShelf(
            blobs,
            config.export().bucket(),
            (bucket, key, life) ->
                blobs
                    .link(bucket, key, life, key.substring(key.lastIndexOf('/') + 1))
                    .url()
                    .toString(),
            config.export().linkTtl());
    var types =
        List.of(
            new EmailTask(mailer, templates),
            new DataExportTask(inputs, exporter),
            new ReportTask(
                reports,
                new io.tidemill.processor.report.CrawlSource(views.crawls(), views.pages()),
                input -> named(inputs, input),
                analytics.projects(),
                clock));
    var shelf = new RecordShelf(blobs, config.records().bucket(), scratch);
    engine =
        new FlowProcessor(
            new FlowProcessor.Config(config.processor(), config.flows(), config.owner()),
            servers.redis(),
            servers.kafka(),
            new FlowProcessor.Skills(
                Steps.find(config.data().resolve("plugins"), steps),
                byName(types, TaskType::name),
                new ShelfRecords(inputs, shelf)),
            traces,
            metrics,
            clock);
  }

  private static Records named(Inputs inputs, JsonNode input) throws WorkFailure {
    if (input instanceof ObjectNode source) return inputs.required(source);
    throw WorkFailure.permanent(Inputs.INVALID, "input must be a JSON object");
  }

  private <T extends AutoCloseable> T open(T client) {
    clients.push(client);
    return client;
  }

  private static <T> Map<String, T> byName(List<? extends T> all, Function<T, String> name) {
    return all.stream().collect(Collectors.toMap(name, one -> one));
  }

  @Override
  public String name() {
    return "processor role";
  }

  @Override
  public void start() {
    engine.start();
  }

  @Override
  public void stop() {
    engine.stop();
    for (var client : clients) {
      try {
        client.close();
      } catch (Exception gone) {
        log.debug("a client was gone already: {}", gone.getMessage());
      }
    }
  }

  /// How it goes.
  public HealthCheck health() {
    return engine.health();
  }
}
