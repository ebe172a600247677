package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.crawl.CrawlView;
import io.tidemill.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Returns the status of a crawl (C3.11, C1.5).
public final class CrawlStatusTool extends BuiltInTool {
  private static final ObjectNode SCHEMA =
      ToolArguments.schema(
          """
          {"id": {"type": "string", "minLength": 1, "maxLength": 128, "description": "The crawl's id."},
           "email": {"type": "string", "maxLength": 320, "description": "Whose crawl it is; needed only long after its end."},
           "pages": {"type": "integer", "minimum": 0, "maximum": 100, "description": "Lines on so many of its pages; none by default."},
           "result": {"type": "boolean", "description": "Whether to return its result, too, which can be long."}}
          """,
          "id");

  private final CrawlStore store;

  public CrawlStatusTool(CrawlStore store) {
    super(
        "crawl.status",
        true,
        "Tells how a crawl stands: status (pending, completed, failed, canceled), pages found,"
            + " fetched and failed; on demand its pages and its result.",
        SCHEMA);
    this.store = store;
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var given = new ToolArguments(arguments);
    var id = given.text("id");
    if (!CrawlNames.isId(id)) throw ToolArguments.wrong("id: expected the id of a crawl");
    var owner = store.owner(id).orElseGet(() -> new CrawlKey(given.text("email"), id));
    var crawl =
        store
            .find(owner)
            .orElseThrow(() -> new JobFailure("UNKNOWN_CRAWL", "there is no such crawl"));
    var view = CrawlView.of(crawl, store.record(id));
    if (!given.flag("result")) view.remove("result");
    var reason = crawl.result().path("errorMessage").asString("");
    if (!reason.isEmpty()) view.put("error", reason);
    var most = given.number("pages", 0);
    if (most > 0) {
      var pages = view.putArray("pages");
      for (var line : store.lines(id, 0, most)) pages.add(Json.parse(line));
    }
    return view;
  }
}
