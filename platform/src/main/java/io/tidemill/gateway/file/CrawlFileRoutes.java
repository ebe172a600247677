package io.tidemill.gateway.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.http.PublicUrl;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.s3.ObjectAddress;
import io.tidemill.s3.ObjectInfo;
import java.net.URLEncoder;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The batches in which a crawl's pages lie (C5.7), as long as its record is kept:
/// `/api/crawls/{id}/files…`.
///
/// @param bucket where crawlers keep them
public record CrawlFileRoutes(
    CrawlStore crawls, FileDownload download, String bucket, PublicUrl gateway)
    implements FileRoutes {
  private static final Pattern BATCH = Pattern.compile("batch_\\d{3,9}\\.json");
  private static final String FILES = "/api/crawls/{id}/files";

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get(FILES, this::list), Route.get(FILES + "/{name}", this::show).forLinks());
  }

  /// `GET /api/crawls/{id}/files`
  Response list(Request request) {
    return folder(request)
        .<Response>map(folder -> list(request.pathParam("id"), folder))
        .orElseGet(CrawlFileRoutes::unknown);
  }

  private Response list(String id, ObjectAddress folder) {
    var answer = Json.object();
    var files = answer.putArray("files");
    var path = "/api/crawls/" + URLEncoder.encode(id, UTF_8) + "/files/";
    download.list(folder).stream()
        .map(CrawlFileRoutes::named)
        .filter(file -> BATCH.matcher(file.key()).matches())
        // Beyond 999 the order of names is not that of numbers.
        .sorted(
            Comparator.comparingInt((ObjectInfo it) -> it.key().length())
                .thenComparing(ObjectInfo::key))
        .forEach(file ->
            files
                .addObject()
                .put("name", file.key())
                .put("url", gateway.of(path + file.key()))
                .put("bytes", file.size()));
    return Response.ok(answer);
  }

  // The same with the last part of its key.
  private static ObjectInfo named(ObjectInfo file) {
    var name = file.key().substring(file.key().lastIndexOf('/') + 1);
    return new ObjectInfo(name, file.size(), file.modifiedAt(), file.etag(), "", file.metadata());
  }

  /// `GET /api/crawls/{id}/files/{name}`
  Response show(Request request) {
    var name = request.pathParam("name");
    var folder = folder(request);
    if (folder.isEmpty()) return unknown();
    if (!BATCH.matcher(name).matches()) {
      return Response.problem(
          404, "a crawl has no such file: its files are batch_000.json and so on");
    }
    return file(new ObjectAddress(bucket, folder.get().key() + "/" + name), request);
  }

  // The folder of a crawl's batches; empty when its record is not there, or is forgotten.
  private Optional<ObjectAddress> folder(Request request) {
    var id = request.pathParam("id");
    if (!CrawlNames.isId(id)) return Optional.empty();
    return StoreRetry.answer(() -> crawls.record(id))
        .map(crawl -> crawl.options().project())
        .map(project -> project.isEmpty() ? CollectedNames.WEB : project)
        .map(project -> String.join("/", CollectedNames.WEB, project, id))
        .flatMap(key -> ObjectAddress.of(bucket, key));
  }

  private static Response unknown() {
    return Response.problem(404, "there is no such crawl");
  }
}
