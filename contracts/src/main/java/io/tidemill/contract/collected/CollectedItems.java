package io.tidemill.contract.collected;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Tells a list of items, `{"items":[…]}` with whatever else beside, from an item that has a field
/// of that name (C5.7).
public final class CollectedItems {
  /// The field that has the items.
  public static final String FIELD = "items";

  // What only an item has; ids and descriptions are seen beside lists, too.
  private static final Set<String> OF_AN_ITEM = Set.of("content", "text", "caption", "interaction");
  private static final Set<String> OF_ITS_META = Set.of("id", "permalink", "fetch_status");

  private CollectedItems() {}

  public static boolean isList(JsonNode tree) {
    return tree.path(FIELD).isArray()
        && tree.propertyStream().noneMatch(it -> isOfAnItem(it.getKey(), it.getValue()));
  }

  /// Whether a field of an object makes it an item.
  public static boolean isOfAnItem(String name, JsonNode value) {
    return OF_AN_ITEM.contains(name)
        || (name.equals("meta") && OF_ITS_META.stream().anyMatch(value::has));
  }
}
