package io.tidemill.dashboard;

import io.tidemill.http.BasePath;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The dashboard's page at `/` and its files under `/ui/…`.
///
/// The files' URL contains a digest of their content, so browsers cache them for ever and never mix
/// two versions.
public final class AssetRoutes implements Routes {
  private static final String PAGE = "index.html";
  private static final String APP = "app.js";
  private static final String FIRST_VIEW = "views/overview.js";

  private final AssetCatalog assets;
  private final String base;
  private final Asset page;
  private final String policy;

  public AssetRoutes(BasePath path) {
    assets = AssetCatalog.load();
    base = path.of(assets.base());
    var map = new ImportMap(base);
    page = Asset.of(PAGE, page(map).getBytes(StandardCharsets.UTF_8));
    policy =
        "default-src 'none'; script-src 'self' '%s'; style-src 'self'; img-src 'self' data:;"
                .formatted(map.digest())
            + " connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none';"
            + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
            + " trusted-types lit-html";
  }

  private String page(ImportMap map) {
    var text = new String(assets.find(PAGE).orElseThrow().plain(), StandardCharsets.UTF_8);
    return text.replace("IMPORT_MAP", map.text())
        .replace("PRELOADS", preloads())
        .replace("BASE", base);
  }

  /// Preloads all modules of the frame and the first view, which browsers would discover one by
  /// one.
  private String preloads() {
    return ModuleGraph.of(assets, APP, FIRST_VIEW).stream()
        .map(file -> "<link rel=\"modulepreload\" href=\"%s/%s\">".formatted(base, file))
        .collect(Collectors.joining("\n"));
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/", this::page).open(), Route.get("/ui/{stamp}/{name...}", this::file).open());
  }

  /// `GET /`
  Response page(Request request) {
    return answer(page, request)
        .withHeader("Content-Security-Policy", policy)
        .withHeader("Cache-Control", "no-cache");
  }

  /// `GET /ui/{stamp}/{name}`
  Response file(Request request) {
    // A page of an older version must not load files of this one.
    if (!request.pathParam("stamp").equals(assets.stamp())) {
      return Response.problem(404, "this is a file of another version: reload the page");
    }
    var asset = assets.find(request.pathParam("name"));
    if (asset.isEmpty()) return Response.problem(404, "the dashboard has no such file");
    return answer(asset.get(), request)
        .withHeader("Cache-Control", "public, max-age=31536000, immutable");
  }

  private static Response answer(Asset asset, Request request) {
    var headers = Map.of("Vary", "Accept-Encoding");
    if (!request.header("Accept-Encoding").orElse("").contains("gzip")) {
      return new Response.Body(200, asset.contentType(), asset.plain(), headers);
    }
    return new Response.Body(200, asset.contentType(), asset.gzipped(), headers)
        .withHeader("Content-Encoding", "gzip");
  }

  /// Maps the names of libraries to their URLs.
  private record ImportMap(String base) {
    private static final String DIGEST = "sha256-";

    String text() {
      var names = new TreeMap<String, String>();
      AssetCatalog.LIBRARIES.forEach(
          (name, library) -> names.put(name, base + "/" + library.file()));
      var lines =
          names.entrySet().stream()
              .map(each -> "\"%s\":\"%s\"".formatted(each.getKey(), each.getValue()))
              .toList();
      return "{\"imports\":{" + String.join(",", lines) + "}}";
    }

    String digest() {
      return DIGEST + AssetCatalog.base64(text());
    }
  }
}
