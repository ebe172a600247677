package io.tidemill.gateway.search;

import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.search.PageDocument;
import io.tidemill.search.query.PageSearch;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Pages of the index over HTTP: `/api/pages?url=`.
public final class PageRoutes implements Routes {
  private static final int LONGEST_URL = 8_192;
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final PageSearch pages;
  private final Consumer<String> removals;
  private final Function<String, Optional<String>> normalise;

  /// @param removals takes the normalised URL of a page to remove; returns when that is durable
  /// @param normalise from a URL as typed to the one that pages are known by (C4.4)
  public PageRoutes(
      PageSearch pages, Consumer<String> removals, Function<String, Optional<String>> normalise) {
    this.pages = pages;
    this.removals = removals;
    this.normalise = normalise;
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/api/pages", this::show), Route.delete("/api/pages", this::remove));
  }

  /// `GET /api/pages?url=`
  Response show(Request request) {
    var url = url(request);
    return SearchRetry.answer(() -> pages.find(url))
        .<Response>map(page -> Response.ok(encode(page)))
        .orElseGet(() -> Response.problem(404, "there is no such page in the index"));
  }

  /// `DELETE /api/pages?url=`
  Response remove(Request request) {
    var url = url(request);
    removals.accept(url);
    return Response.accepted(Json.object().put("url", url));
  }

  private String url(Request request) {
    var text = new Parameters(request).text("url", LONGEST_URL);
    return normalise
        .apply(text)
        .orElseThrow(() -> new Parameters.Wrong("url", "an absolute http or https URL"));
  }

  private static ObjectNode encode(PageDocument page) {
    var tree = Json.object();
    tree.put("url", page.fetchedUrl());
    tree.put("identity", page.url());
    tree.put("title", page.title());
    tree.put("description", page.description());
    tree.put("text", page.main());
    tree.put("rest", page.rest());
    tree.put("language", page.language());
    tree.put("type", page.type());
    tree.put("statusCode", page.statusCode());
    tree.put("fetchedAt", text(page.fetchedAt()));
    tree.put("publishedAt", text(page.publishedAt()));
    tree.put("crawlId", page.crawlId());
    tree.put("contentHash", page.contentHash());
    tree.put("messageId", page.messageId());
    return tree;
  }

  /// With milliseconds, in UTC; null when unknown.
  static @Nullable String text(@Nullable Instant at) {
    return at == null ? null : MILLIS.format(at);
  }
}
