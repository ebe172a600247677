package io.tidemill.processor;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.ParquetFiles;
import io.tidemill.api.Records;
import io.tidemill.api.Step;
import io.tidemill.api.TaskType;
import io.tidemill.api.WorkFailure;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.fetch.Fetcher;
import io.tidemill.http.PublicUrl;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.observe.Traces;
import io.tidemill.processor.export.DataExportTask;
import io.tidemill.processor.export.ExportConfig;
import io.tidemill.processor.export.ExportStep;
import io.tidemill.processor.export.RecordExporter;
import io.tidemill.processor.input.AnalyticsSource;
import io.tidemill.processor.input.CrawlInputSource;
import io.tidemill.processor.input.InputSources;
import io.tidemill.processor.input.ObjectSource;
import io.tidemill.processor.input.SearchSource;
import io.tidemill.processor.mail.EmailTask;
import io.tidemill.processor.mail.MailSender;
import io.tidemill.processor.mail.MailTemplates;
import io.tidemill.processor.mail.NotifyStep;
import io.tidemill.processor.mail.SmtpConfig;
import io.tidemill.processor.record.RecordStore;
import io.tidemill.processor.record.RecordsConfig;
import io.tidemill.processor.record.ScratchFolder;
import io.tidemill.processor.report.ReportStore;
import io.tidemill.processor.report.ReportTask;
import io.tidemill.processor.step.BuiltInSteps;
import io.tidemill.processor.step.StepRegistry;
import io.tidemill.processor.step.StepsConfig;
import io.tidemill.redis.Redis;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.query.PageSearch;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.OpenClients;
import io.tidemill.service.Service;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The processor role put together: the engine with every step and task that we have.
public final class ProcessorRole implements Service {
  /// Settings of all its parts.
  ///
  /// @param gateway where people find it, for links
  /// @param crawlBucket where crawlers keep their batches
  /// @param crawlDoubt after which a gateway publishes a crawl in our stead
  /// @param data folder of this process: `plugins`, `templates` and `scratch` are below it
  /// @param owner a name of this process that no other has
  public record Config(
      ProcessorConfig processor,
      WorkflowsConfig flows,
      StepsConfig steps,
      RecordsConfig records,
      ExportConfig export,
      AnalyticsConfig analytics,
      SmtpConfig smtp,
      PublicUrl gateway,
      String crawlBucket,
      Duration crawlDoubt,
      Path data,
      String owner) {}

  /// The servers that it talks to, and what it shares with the rest of the process.
  public record Servers(
      Redis redis, KafkaConfig kafka, AmqpConfig amqp, S3Config blobs, Fetcher fetcher) {}

  /// What it looks into.
  public record Views(
      PageSearch pages,
      SearchConfig search,
      CrawlStore crawls,
      UrlNormaliser urls,
      Analytics analytics) {}

  private final OpenClients clients = new OpenClients();
  private final ExecutionProcessor engine;

  public ProcessorRole(
      Config config,
      Servers servers,
      Views views,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    var blobs = clients.add(new ObjectStore(servers.blobs()));
    var scratch = clients.add(ScratchFolder.in(config.data().resolve("scratch"))).folder();
    var analytics = views.analytics();
    var exporter =
        new RecordExporter(
            blobs,
            config.export(),
            new ParquetFiles(config.analytics(), scratch),
            config.gateway(),
            scratch);
    var crawled = new CrawlInputSource(views.crawls(), blobs, config.crawlBucket());
    var inputs =
        new InputSources(
            Map.of(
                "object", new ObjectSource(blobs, config.records().inputBuckets()),
                "crawl", crawled,
                "search", new SearchSource(views.pages(), views.search()),
                "analytics", new AnalyticsSource(analytics)));
    var mailer = new MailSender(config.smtp());
    var templates = new MailTemplates(config.data().resolve("templates"));
    var kafka = clients.add(new io.tidemill.kafka.KafkaPublisher(servers.kafka(), "steps"));
    var steps = new ArrayList<Step>();
    steps.addAll(
        BuiltInSteps.of(
            new BuiltInSteps.Tools(
                // A workflow has limits of its own.
                new CrawlStarter(views.crawls(), kafka, config.crawlDoubt(), Long.MAX_VALUE, clock),
                views.crawls(),
                crawled,
                clients.add(
                    new io.tidemill.amqp.AmqpPublisher(servers.amqp(), "processor", metrics)),
                exporter,
                analytics,
                blobs,
                config.records().bucket(),
                views.urls(),
                new LanguageDetector(),
                scratch,
                config.steps(),
                clock)));
    steps.add(new ExportStep(exporter));
    steps.add(
        new NotifyStep(
            mailer,
            templates,
            servers.fetcher(),
            new WorkflowLinks(
                new ExecutionStore(servers.redis(), ExecutionKind.WORKFLOW, config.flows(), clock),
                config.gateway())));
    var reports = new ReportStore(blobs, config.export().bucket(), config.gateway());
    var types =
        List.of(
            new EmailTask(mailer, templates),
            new DataExportTask(inputs, exporter),
            new ReportTask(
                reports,
                new io.tidemill.processor.report.CrawlReportData(
                    views.crawls(), views.pages(), views.urls()),
                input -> named(inputs, input),
                analytics.projects(),
                clock));
    var store = new RecordStore(blobs, config.records().bucket(), scratch);
    engine =
        new ExecutionProcessor(
            new ExecutionProcessor.Config(config.processor(), config.flows(), config.owner()),
            servers.redis(),
            servers.kafka(),
            new ExecutionProcessor.Capabilities(
                StepRegistry.find(config.data().resolve("plugins"), steps),
                byName(types, TaskType::name),
                new InputStepRecords(inputs, store)),
            traces,
            metrics,
            clock);
  }

  private static Records named(InputSources inputs, JsonNode input) throws WorkFailure {
    if (input instanceof ObjectNode source) return inputs.required(source);
    throw WorkFailure.permanent(InputSources.INVALID, "input must be a JSON object");
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
    clients.close();
  }

  /// How it goes.
  public HealthCheck health() {
    return engine.health();
  }
}
