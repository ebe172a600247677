package io.tidemill.gateway.mcp;

import io.tidemill.contract.job.ToolCodec;
import io.tidemill.contract.job.ToolSpec;
import io.tidemill.job.ToolRegistry;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;

/// The tools by their names in MCP. The protocol allows dots, but the language models of many
/// clients accept only letters, digits, `_` and `-`.
final class McpTools {
  private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9_-]");

  private final ToolRegistry registry;

  McpTools(ToolRegistry registry) {
    this.registry = registry;
  }

  private Map<String, ToolSpec> byName() {
    var tools = StoreRetry.answer(registry::alive);
    var taken = new HashSet<>(tools.stream().map(ToolSpec::name).collect(Collectors.toSet()));
    var named = new LinkedHashMap<String, ToolSpec>();
    for (var tool : tools) {
      var plain = OTHERS.matcher(tool.name()).replaceAll("_");
      // A tool that really has that name keeps it.
      var free = plain.equals(tool.name()) || taken.add(plain);
      named.put(free ? plain : tool.name(), tool);
    }
    return named;
  }

  /// The tools that are offered now.
  ArrayNode list() {
    var list = Json.object().putArray("tools");
    byName()
        .forEach((name, tool) -> {
          var entry = list.addObject().put("name", name);
          if (!name.equals(tool.name())) entry.put("title", tool.name());
          if (!tool.description().isEmpty()) entry.put("description", tool.description());
          entry.set("inputSchema", tool.inputSchema());
          if (tool.readOnly()) ToolCodec.annotate(entry);
        });
    return list;
  }

  /// The tool of that name, in either spelling.
  Optional<ToolSpec> find(String name) {
    var all = byName();
    return Optional.ofNullable(all.get(name))
        .or(() -> all.values().stream().filter(tool -> tool.name().equals(name)).findFirst());
  }
}
