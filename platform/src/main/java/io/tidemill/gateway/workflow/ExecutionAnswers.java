package io.tidemill.gateway.workflow;

import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.workflow.ExecutionStart;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// How `/api/workflows…`, `/api/tasks…` and `/internal/…` read requests and answer them where
/// contract C2 leaves it open.
sealed interface ExecutionAnswers permits StandardExecutionAnswers, OriginalExecutionAnswers {
  /// What a list is to have.
  ///
  /// @param status null for all
  /// @param group a priority or a type; null for all
  /// @param isEmpty whether nothing can match
  record Filter(
      @Nullable ExecutionStatus status,
      @Nullable String group,
      int limit,
      int offset,
      boolean isEmpty) {}

  /// The body of `POST /api/workflows` or `POST /api/tasks`, and what became of it.
  Response submit(byte[] form, Instant now, Function<ExecutionEvent, ExecutionStart> start);

  /// A body that is not JSON.
  Response unreadable(String why);

  /// A body that is JSON, but invalid; the reason may begin with the name of a field.
  Response malformed(String why);

  /// There is no such workflow or task.
  Response unknown(String id);

  /// One of a list, or all of one.
  ObjectNode shown(ObjectNode record);

  Filter filter(Request request);

  /// A report was taken in.
  Response reported(String id, ExecutionStatus status);
}
