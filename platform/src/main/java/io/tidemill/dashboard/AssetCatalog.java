package io.tidemill.dashboard;

import io.tidemill.content.fingerprint.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// All files of the dashboard, in memory.
final class AssetCatalog {
  private static final String PAGE = "ui/index.html";
  private static final String WEBJARS = "/META-INF/resources/webjars/";
  private static final int STAMP_BYTES = 6;

  /// A file of a library.
  ///
  /// @param file path below the base URL
  /// @param resource path in its WebJar
  record Library(String file, String resource) {}

  /// By the name under which modules import them.
  static final Map<String, Library> LIBRARIES =
      Map.ofEntries(
          library("lit", "lit-element/4.2.1/lit-element.js"),
          library("lit-html", "lit-html/3.3.1/lit-html.js"),
          library("lit-html/directive.js", "lit-html/3.3.1/directive.js"),
          library("lit-html/directive-helpers.js", "lit-html/3.3.1/directive-helpers.js"),
          library("lit-html/directives/repeat.js", "lit-html/3.3.1/directives/repeat.js"),
          library("lit-html/directives/keyed.js", "lit-html/3.3.1/directives/keyed.js"),
          library("@lit/reactive-element", "lit__reactive-element/2.1.1/reactive-element.js"),
          library("@lit/reactive-element/css-tag.js", "lit__reactive-element/2.1.1/css-tag.js"),
          library("chart.js", "chart.js/4.4.9/dist/chart.umd.js"));

  private final Map<String, Asset> files;
  private final String stamp;

  private AssetCatalog(Map<String, Asset> files) {
    this.files = files;
    this.stamp = stamp(files);
  }

  private static Map.Entry<String, Library> library(String name, String resource) {
    return Map.entry(name, new Library("lib/" + resource, WEBJARS + resource));
  }

  static AssetCatalog load() {
    var files = new TreeMap<String, Asset>();
    LIBRARIES.values().forEach(library -> files.put(library.file(), read(library)));
    try {
      own(files);
    } catch (IOException | URISyntaxException unreadable) {
      throw new IllegalStateException("the dashboard's files can't be read", unreadable);
    }
    return new AssetCatalog(files);
  }

  private static Asset read(Library library) {
    try (var in = AssetCatalog.class.getResourceAsStream(library.resource())) {
      if (in == null) throw new IllegalStateException("no resource " + library.resource());
      return Asset.of(library.file(), in.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static void own(Map<String, Asset> files) throws IOException, URISyntaxException {
    var page = AssetCatalog.class.getResource(PAGE);
    if (page == null) throw new IllegalStateException("no resource " + PAGE);
    var uri = page.toURI();
    if (!uri.getScheme().equals("jar")) {
      walk(Path.of(uri), files);
      return;
    }
    var jar = uri.toString();
    var path = jar.substring(jar.indexOf('!') + 1);
    try (var inside =
        FileSystems.newFileSystem(Path.of(URI.create(jar.substring(4, jar.indexOf('!')))))) {
      walk(inside.getPath(path), files);
    }
  }

  private static void walk(Path page, Map<String, Asset> files) throws IOException {
    var folder = page.resolveSibling(".").normalize();
    try (var all = Files.walk(folder)) {
      for (var file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        var name = folder.relativize(file).toString().replace('\\', '/');
        files.put(name, Asset.of(name, Files.readAllBytes(file)));
      }
    }
  }

  Optional<Asset> find(String name) {
    return Optional.ofNullable(files.get(name));
  }

  /// A digest of all files.
  String stamp() {
    return stamp;
  }

  /// The base URL of the files.
  String base() {
    return "/ui/" + stamp;
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(Digest.sha256().add(text).bytes());
  }

  private static String stamp(Map<String, Asset> files) {
    var digest = Digest.sha256();
    files.forEach((name, asset) -> digest.add(name).add(asset.plain()));
    return digest.hex(STAMP_BYTES);
  }
}
