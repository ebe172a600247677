package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.contract.crawl.Crawl;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.crawl.CrawlStart;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlView;
import io.tidemill.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Starts a crawl as `POST /api/crawls` does (C3.11, C1.4); a job that is delivered again starts no
/// second one.
public final class CrawlStartTool extends BuiltInTool {
  private static final ObjectNode SCHEMA =
      ToolArguments.schema(
          """
          {"url": {"type": "string", "minLength": 1, "maxLength": 8192, "description": "Where to begin: an absolute http or https URL."},
           "maxPages": {"type": "integer", "minimum": 1, "maximum": 10000000, "description": "Pages to fetch at most; 1 by default: only this one."},
           "maxDepth": {"type": "integer", "minimum": 0, "maximum": 1000, "description": "Links to follow from the first page."},
           "scope": {"type": "string", "enum": ["host", "domain", "prefix"], "description": "Where links may lead: the same host, domain, or path prefix."},
           "include": {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 1000}, "description": "RE2 patterns; only URLs that fit one are followed."},
           "exclude": {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 1000}, "description": "RE2 patterns; URLs that fit one are not followed."},
           "sitemaps": {"type": "boolean", "description": "Whether to begin with the site's sitemaps, too."},
           "maxBytes": {"type": "integer", "minimum": 0},
           "maxSeconds": {"type": "integer", "minimum": 0},
           "recrawl": {"type": "boolean", "description": "Whether pages that were fetched a short while ago are fetched again."},
           "maxAge": {"type": "integer", "minimum": 0, "description": "Pages that were fetched longer ago, in seconds, are fetched again."},
           "project": {"type": "string", "maxLength": 100, "description": "The project of the analytics that the pages belong to."},
           "email": {"type": "string", "maxLength": 320, "description": "Whose crawl it is; whoever tools work for by default."}}
          """,
          "url");

  private final @Nullable CrawlStarter starter;
  private final String owner;

  /// @param starter null when Kafka is not configured
  /// @param owner of crawls without `email`
  public CrawlStartTool(@Nullable CrawlStarter starter, String owner) {
    super(
        "crawl.start",
        false,
        "Starts a crawl of a page or a site and returns its id at once; crawl.status tells how it"
            + " goes. What was crawled is indexed for search and analysed. Obeys robots.txt.",
        SCHEMA);
    this.starter = starter;
    this.owner = owner;
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var configured = starter;
    if (configured == null) throw KafkaStart.notConfigured(this);
    var submission = submission(arguments);
    return switch (configured.start(KafkaStart.id(this, job).toString(), submission)) {
      case CrawlStart.Started(var request) ->
          Json.parse(CrawlCodec.encodeNew(request)).asObject().without("result");
      case CrawlStart.Repeated(var earlier) -> repeated(earlier);
      case CrawlStart.Invalid(var why) -> throw ToolArguments.wrong(why);
      case CrawlStart.TooManyCrawls full -> throw new JobFailure("TOO_MANY_CRAWLS", full.why());
      case CrawlStart.NotPublished(var refused, var _) ->
          throw KafkaStart.refused("the crawl's request", refused);
    };
  }

  private CrawlSubmission submission(JsonNode arguments) throws JobFailure {
    var form = arguments.deepCopy().asObject();
    if (!form.hasNonNull("email")) form.put("email", owner);
    return ToolArguments.decoded(CrawlCodec.decodeSubmission(Json.bytes(form)));
  }

  private static JsonNode repeated(Crawl earlier) throws JobFailure {
    if (CrawlStarter.wasUnpublished(earlier)) {
      throw new JobFailure("UNPUBLISHED", CrawlStarter.UNPUBLISHED);
    }
    return CrawlView.of(earlier).without("result");
  }
}
