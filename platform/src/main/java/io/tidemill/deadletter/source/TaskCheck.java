package io.tidemill.deadletter.source;

import io.tidemill.contract.workflow.Mailbox;
import io.tidemill.json.Json;
import io.tidemill.schema.SchemaViolation;
import io.tidemill.schema.TaskSchemas;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Whether a task can begin again with other data: by the schema of its type, and a mail by whom it
/// goes to.
final class TaskCheck {
  private static final String MAIL = "email_notification";
  private static final List<String> MAILBOXES = List.of("recipient", "to", "cc", "bcc", "replyTo");

  private TaskCheck() {}

  /// What is wrong with the data; nothing when the task may begin again.
  static List<SchemaViolation> check(String type, String value) {
    JsonNode data;
    try {
      data = Json.parse(value);
    } catch (JacksonException notJson) {
      return SchemaViolation.of(Json.fault(notJson));
    }
    if (!(data instanceof ObjectNode object)) {
      return SchemaViolation.of("the data of a task must be a JSON object");
    }
    var given = object.removeIf(JsonNode::isNull); // as good as missing to whoever runs it
    var violations = TaskSchemas.check(type, given);
    return violations.isEmpty() && type.equals(MAIL) ? mailboxes(given) : violations;
  }

  // As the processor reads them.
  private static List<SchemaViolation> mailboxes(JsonNode data) {
    var violations = new ArrayList<SchemaViolation>();
    for (var field : MAILBOXES) {
      var given = data.path(field);
      if (!given.isArray()) {
        if (!given.isMissingNode()) mailbox("/" + field, given, violations);
        continue;
      }
      for (int i = 0; i < given.size(); i++) {
        mailbox("/" + field + "/" + i, given.get(i), violations);
      }
    }
    return violations;
  }

  private static void mailbox(String path, JsonNode given, List<SchemaViolation> out) {
    if (Mailbox.parse(given.asString("")).isEmpty()) {
      out.add(new SchemaViolation(path, Mailbox.EXPECTED));
    }
  }
}
