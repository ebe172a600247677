package io.tidemill.dashboard.servers;

import io.tidemill.amqp.AmqpDelivery;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.redis.stream.StreamInspector;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Messages of topics, queues and streams as JSON: `{"messages":[…]}`.
final class MessageView {
  private MessageView() {}

  static ObjectNode records(List<KafkaRecord> records) {
    var answer = Json.object();
    var messages = answer.putArray("messages");
    for (var record : records) {
      var out = messages.addObject().put("id", record.partition() + "-" + record.offset());
      out.put("partition", record.partition()).put("offset", record.offset());
      out.put("at", record.timestamp());
      ReadableBytes.key(out, record.key());
      headers(record, out.putArray("headers"));
      ReadableBytes.value(out, record.value());
    }
    return answer;
  }

  static void headers(KafkaRecord record, ArrayNode out) {
    for (var header : record.headers()) {
      ReadableBytes.header(out.addObject().put("name", header.name()), header.value());
    }
  }

  /// Messages of a queue, identified by their position unless the sender set an id.
  static ObjectNode deliveries(List<AmqpDelivery> deliveries) {
    var answer = Json.object();
    var messages = answer.putArray("messages");
    var place = 0;
    for (var delivery : deliveries) {
      var id = delivery.messageId() == null ? String.valueOf(place) : delivery.messageId();
      var out = messages.addObject().put("id", id);
      place++;
      if (delivery.timestamp() != null) out.put("at", delivery.timestamp().toEpochMilli());
      else out.putNull("at");
      if (delivery.contentType() != null) out.put("contentType", delivery.contentType());
      out.put("redelivered", delivery.redelivered());
      headers(delivery.headers(), out.putArray("headers"));
      ReadableBytes.value(out, delivery.body());
    }
    return answer;
  }

  private static void headers(Map<String, Object> headers, ArrayNode out) {
    headers.forEach(
        (name, value) -> ReadableBytes.header(out.addObject().put("name", name), value));
  }

  static ObjectNode entries(List<StreamInspector.Entry> entries) {
    var answer = Json.object();
    var messages = answer.putArray("messages");
    for (var entry : entries) {
      var out = messages.addObject().put("id", entry.id()).put("at", entry.at());
      var size = 0L;
      for (var value : entry.fields().values()) size += value.length;
      out.put("size", size);
      var isCut = fields(entry.fields(), out.putObject("fields"));
      if (isCut) out.put("cut", true);
    }
    return answer;
  }

  // Texts as they are, other bytes as `{"base64":…}`.
  private static boolean fields(Map<String, byte[]> fields, ObjectNode out) {
    var isCut = false;
    for (var field : fields.entrySet()) {
      var one = Json.object();
      ReadableBytes.put(one, "value", field.getValue(), ReadableBytes.LARGEST);
      isCut |= one.has("cut");
      if (one.has("value")) out.set(field.getKey(), one.get("value"));
      else out.putObject(field.getKey()).set("base64", one.get("value_base64"));
    }
    return isCut;
  }
}
