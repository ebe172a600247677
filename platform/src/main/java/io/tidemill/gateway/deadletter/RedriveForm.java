package io.tidemill.gateway.deadletter;

import io.tidemill.deadletter.DeadLetter;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.deadletter.redrive.Redrive.Action;
import io.tidemill.deadletter.redrive.RedriveRequest;
import io.tidemill.deadletter.redrive.RedriveStore;
import io.tidemill.http.Parameters;
import io.tidemill.json.FieldNames;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Decodes the body of `POST /api/dead/redrives`.
final class RedriveForm {
  private static final int RATE = 50;
  private static final int RATE_MOST = 1_000;
  private static final int LONGEST_ID = 700;

  // One that is misspelt would let through everything.
  private static final FieldNames FIELDS =
      FieldNames.of(
          "action",
          "source",
          "ids",
          "cause",
          "q",
          "since",
          "until",
          "all",
          "ratePerSecond",
          "dryRun");

  private static final List<String> SELECTION =
      List.of("source", "ids", "cause", "q", "since", "until");

  private RedriveForm() {}

  /// @throws Parameters.Wrong that names the field
  static RedriveRequest decode(byte[] body) {
    var form = DeadLetterForms.object(body);
    Parameters.Wrong.requireKnown(FIELDS, form);
    var isDry = flag(form, "dryRun");
    requireSelection(form, isDry);
    var action = action(form.path("action"));
    var ids = ids(form.get("ids"));
    // Who names dead letters to throw away may name some that were redriven and stayed.
    var any = action == Action.DISCARD && ids != null;
    return new RedriveRequest(
        action,
        source(form.path("source")),
        DeadLetterForms.filter(form, any ? null : DeadLetter.State.WAITING),
        ids,
        rate(form),
        isDry);
  }

  // A body that selects nothing is more likely a mistake than the wish to redrive everything.
  private static void requireSelection(JsonNode form, boolean isDry) {
    var isSelective = SELECTION.stream().anyMatch(form::hasNonNull);
    if (!flag(form, "all") && !isSelective && !isDry) {
      throw new Parameters.Wrong(
          "all", "true, to take every dead letter, or one of " + String.join(", ", SELECTION));
    }
  }

  private static Action action(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) return Action.REDRIVE;
    for (var action : Action.values()) {
      if (action.wire().equals(node.asString(""))) return action;
    }
    throw new Parameters.Wrong("action", "redrive or discard");
  }

  private static String source(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) return DeadLetterCatalog.ALL;
    if (node.isString()) return node.stringValue();
    throw new Parameters.Wrong("source", "a text");
  }

  private static @Nullable List<String> ids(@Nullable JsonNode node) {
    if (node == null || node.isNull()) return null;
    if (!node.isArray() || node.isEmpty() || node.size() > RedriveStore.MAX_DEAD_LETTERS)
      throw wrongIds();
    var ids = new LinkedHashSet<String>();
    for (var id : node) {
      if (!id.isString() || id.stringValue().length() > LONGEST_ID) throw wrongIds();
      ids.add(id.stringValue());
    }
    return List.copyOf(ids);
  }

  private static Parameters.Wrong wrongIds() {
    return new Parameters.Wrong("ids", "a list of 1 to " + RedriveStore.MAX_DEAD_LETTERS + " ids");
  }

  private static int rate(JsonNode form) {
    var node = form.path("ratePerSecond");
    if (node.isMissingNode() || node.isNull()) return RATE;
    var isWhole = node.isIntegralNumber() && node.canConvertToInt();
    if (isWhole && node.intValue() >= 1 && node.intValue() <= RATE_MOST) return node.intValue();
    throw new Parameters.Wrong("ratePerSecond", "a whole number from 1 to " + RATE_MOST);
  }

  private static boolean flag(JsonNode form, String name) {
    var node = form.path(name);
    if (node.isMissingNode() || node.isNull()) return false;
    if (node.isBoolean()) return node.booleanValue();
    throw new Parameters.Wrong(name, "true or false");
  }
}
