package io.tidemill.gateway.deadletter;

import io.tidemill.deadletter.DeadLetter.State;
import io.tidemill.deadletter.DeadLetterEdit;
import io.tidemill.deadletter.DeadLetterFilter;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.http.Parameters;
import io.tidemill.json.FieldNames;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Decodes what clients say about dead letters; every method throws [Parameters.Wrong], which names
/// the field.
final class DeadLetterForms {
  private static final int LONGEST = 1_000;
  private static final int MOST_HEADERS = 200;
  private static final List<String> STATES = Stream.of(State.values()).map(State::wire).toList();
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,15}");
  private static final Pattern CAUSE = Pattern.compile("[0-9a-f]{16}");

  private static final FieldNames EDIT = FieldNames.of("value", "headers");
  private static final FieldNames HEADER = FieldNames.of("name", "value", "value_base64");

  private DeadLetterForms() {}

  /// `q=&cause=&since=&until=&state=`
  static DeadLetterFilter filter(Parameters parameters) {
    return new DeadLetterFilter(
        parameters.text("q", LONGEST),
        cause(parameters.text("cause", LONGEST)),
        time(parameters, "since", false),
        time(parameters, "until", true),
        state(parameters.oneOf("state", STATES)));
  }

  private static @Nullable State state(@Nullable String wire) {
    for (var state : State.values()) if (state.wire().equals(wire)) return state;
    return null;
  }

  private static @Nullable Instant time(Parameters parameters, String name, boolean end) {
    var text = parameters.text(name, LONGEST);
    return MILLIS.matcher(text).matches()
        ? Instant.ofEpochMilli(Long.parseLong(text))
        : parameters.date(name, end);
  }

  /// What a redrive or discard of many asks for.
  ///
  /// @param state which of them it may take; null = any but those that were discarded
  static DeadLetterFilter filter(JsonNode form, @Nullable State state) {
    return new DeadLetterFilter(
        text(form, "q"),
        cause(text(form, "cause")),
        time(form, "since"),
        time(form, "until"),
        state);
  }

  private static String cause(String text) {
    if (text.isEmpty() || CAUSE.matcher(text).matches()) return text;
    throw new Parameters.Wrong("cause", "16 hexadecimal digits");
  }

  private static String text(JsonNode form, String name) {
    var node = form.path(name);
    if (node.isMissingNode() || node.isNull()) return "";
    if (!node.isString() || node.stringValue().length() > LONGEST) {
      throw new Parameters.Wrong(name, "a text of at most " + LONGEST + " characters");
    }
    return node.stringValue().strip();
  }

  private static @Nullable Instant time(JsonNode form, String name) {
    var node = form.path(name);
    if (node.isMissingNode() || node.isNull()) return null;
    if (!node.isIntegralNumber() || !MILLIS.matcher(node.asString()).matches()) {
      throw new Parameters.Wrong(name, "milliseconds since 1970");
    }
    return Instant.ofEpochMilli(node.longValue());
  }

  /// To throw for a name that no source has.
  static Parameters.Wrong unknownSource(DeadLetterCatalog catalog) {
    var names = String.join(", ", catalog.names());
    return new Parameters.Wrong("source", "one of " + names + ", " + DeadLetterCatalog.ALL);
  }

  /// A name that [DeadLetterCatalog#seen] knows.
  static String source(DeadLetterCatalog catalog, String name) {
    if (name.equals(DeadLetterCatalog.ALL) || catalog.names().contains(name)) return name;
    throw unknownSource(catalog);
  }

  static JsonNode object(byte[] body) {
    try {
      var tree = Json.parse(body);
      if (tree.isObject()) return tree;
    } catch (JacksonException notJson) {
      // said below
    }
    throw new Parameters.Wrong("the body", "a JSON object");
  }

  /// `{"value": …, "headers": [{"name": …, "value": …}]}`; an empty body changes nothing.
  static DeadLetterEdit edit(byte[] body) {
    if (body.length == 0) return DeadLetterEdit.NONE;
    var tree = object(body);
    Parameters.Wrong.requireKnown(EDIT, tree);
    return new DeadLetterEdit(value(tree.get("value")), headers(tree.get("headers")));
  }

  private static @Nullable String value(@Nullable JsonNode node) {
    if (node == null || node.isNull()) return null;
    if (!node.isString()) throw new Parameters.Wrong("value", "a text");
    return node.stringValue();
  }

  private static @Nullable List<DeadLetterEdit.Header> headers(@Nullable JsonNode node) {
    if (node == null || node.isNull()) return null;
    if (!node.isArray() || node.size() > MOST_HEADERS) {
      throw new Parameters.Wrong("headers", "a list of at most " + MOST_HEADERS);
    }
    var headers = new ArrayList<DeadLetterEdit.Header>();
    for (var header : node) headers.add(header(header));
    return headers;
  }

  private static DeadLetterEdit.Header header(JsonNode node) {
    var name = node.path("name").asString("");
    if (name.isEmpty()) throw new Parameters.Wrong("headers", "objects with a name");
    Parameters.Wrong.requireKnown(HEADER, node);
    var base64 = node.get("value_base64");
    if (base64 == null) {
      var value = node.get("value");
      if (value == null) throw new Parameters.Wrong("header " + name, "given a value");
      return new DeadLetterEdit.Header(name, plain(value));
    }
    try {
      return new DeadLetterEdit.Header(name, Base64.getDecoder().decode(base64.asString("?")));
    } catch (IllegalArgumentException notBase64) {
      throw new Parameters.Wrong("value_base64 of header " + name, "Base64");
    }
  }

  private static Object plain(JsonNode value) {
    if (value.isString()) return value.stringValue();
    if (value.isBoolean()) return value.booleanValue();
    if (value.isIntegralNumber() && value.canConvertToInt()) return value.intValue();
    if (value.isIntegralNumber() && value.canConvertToLong()) return value.longValue();
    if (value.isArray()) return value.valueStream().map(DeadLetterForms::plain).toList();
    if (value.isObject() || value.isNull()) {
      throw new Parameters.Wrong("headers", "texts, numbers, true, false or lists of them");
    }
    return value.asString();
  }
}
