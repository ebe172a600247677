package io.tidemill.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The documents under `/contracts/`, each complete in itself: readers need not follow a reference
/// to another one, though the schemas that come with the product share their parts.
final class ContractDocuments {
  private static final String FOLDER = "/io/tidemill/contract/schema/";
  private static final String REFERENCE = "$ref";
  private static final String SCHEMA = ".schema.json";
  private static final String ENVELOPE = "envelope";
  private static final String COMPONENTS = "#/components/schemas/";

  private ContractDocuments() {}

  /// All messages and their channels, with the schemas of their payloads.
  static ObjectNode asyncApi(String version) {
    var document = read("asyncapi.json", version);
    var schemas = document.withObject("/components/schemas");
    rewrite(document, reference -> component(reference, schemas, version));
    return document;
  }

  private static String component(String reference, ObjectNode schemas, String version) {
    if (!reference.endsWith(SCHEMA)) return reference;
    var file = reference.substring("/contracts/".length());
    var name = file.substring(file.lastIndexOf('/') + 1, file.length() - SCHEMA.length());
    var place = COMPONENTS + name;
    if (!schemas.has(name)) {
      var schema = schema(file, version).without("$id").without("$schema");
      rewrite(schema, inner -> place + inner.substring(1));
      schemas.set(name, schema);
    }
    return place;
  }

  /// One schema, with the envelope of all events inside when it refers to that.
  static ObjectNode schema(String file, String version) {
    var schema = read(file, version);
    var place = file.endsWith(ENVELOPE + SCHEMA) ? "#" : "#/$defs/" + ENVELOPE;
    var isShared = rewrite(schema, reference -> inEnvelope(reference, place));
    if (isShared && place.length() > 1) {
      var folder = file.substring(0, file.lastIndexOf('/') + 1);
      var envelope = read(folder + ENVELOPE + SCHEMA, version).without("$id").without("$schema");
      rewrite(envelope, reference -> place + reference.substring(reference.indexOf('#') + 1));
      schema.withObject("/$defs").set(ENVELOPE, envelope);
    }
    return schema;
  }

  private static String inEnvelope(String reference, String place) {
    var file = ENVELOPE + SCHEMA;
    if (!reference.startsWith(file)) return reference;
    return place + reference.substring(file.length()).replace("#", "");
  }

  /// The description of the HTTP API.
  ///
  /// @param server the path that all paths are below
  static byte[] openApi(String version, String server) {
    var document = (ObjectNode) Json.parse(bytes("openapi.json", version));
    document.putArray("servers").addObject().put("url", server);
    return Json.bytes(document);
  }

  private static ObjectNode read(String file, String version) {
    return (ObjectNode) Json.parse(bytes(FOLDER + file, version));
  }

  private static byte[] bytes(String resource, String version) {
    try (var in = ContractDocuments.class.getResourceAsStream(resource)) {
      if (in == null) throw new IllegalStateException("no resource " + resource);
      var text = new String(in.readAllBytes(), UTF_8);
      return text.replace("\"VERSION\"", "\"" + version + "\"").getBytes(UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  // Whether any reference was changed.
  private static boolean rewrite(JsonNode node, UnaryOperator<String> target) {
    var changed = false;
    switch (node) {
      case ObjectNode object -> {
        var reference = object.path(REFERENCE).asString("");
        if (!reference.isEmpty()) {
          var now = target.apply(reference);
          changed = !now.equals(reference);
          object.put(REFERENCE, now);
        }
        for (var name : object.propertyNames().toArray(String[]::new)) {
          changed |= rewrite(object.get(name), target);
        }
      }
      case ArrayNode array -> {
        for (var each : array) changed |= rewrite(each, target);
      }
      default -> {}
    }
    return changed;
  }
}
