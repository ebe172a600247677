package io.tidemill.dashboard;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// The transitive imports of a module, which browsers then fetch at once instead of one after the
/// other.
final class ModuleGraph {
  private static final Pattern IMPORT =
      Pattern.compile("\\b(?:from|import)\\s*[\"']([^\"']+)[\"']");

  private final AssetCatalog assets;
  private final Set<String> reached = new LinkedHashSet<>();

  private ModuleGraph(AssetCatalog assets) {
    this.assets = assets;
  }

  /// The files that these modules need to run, including themselves.
  static Set<String> of(AssetCatalog assets, String... modules) {
    var graph = new ModuleGraph(assets);
    for (var module : modules) graph.reach(module);
    return graph.reached;
  }

  private void reach(String file) {
    if (!reached.add(file)) return;
    var asset = assets.find(file).orElseThrow(() -> new IllegalStateException("no module " + file));
    var imports = IMPORT.matcher(new String(asset.plain(), StandardCharsets.UTF_8));
    while (imports.find()) reach(resolve(file, imports.group(1)));
  }

  private static String resolve(String file, String name) {
    var library = AssetCatalog.LIBRARIES.get(name);
    if (library != null) return library.file();
    return URI.create("/" + file).resolve(name).getPath().substring(1);
  }
}
