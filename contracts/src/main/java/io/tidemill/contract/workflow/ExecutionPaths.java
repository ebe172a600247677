package io.tidemill.contract.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;

/// Paths at our gateway: of workflows, of tasks, and of the files that they left (C2.4).
public final class ExecutionPaths {
  private ExecutionPaths() {}

  /// `/api/workflows/{id}`, `/api/tasks/{id}`
  public static String of(ExecutionKind kind, String id) {
    return "/api/" + kind.topic() + "/" + encode(id);
  }

  /// A file in the result of a task.
  public static String taskFile(String id, String name) {
    return of(ExecutionKind.TASK, id) + "/files/" + encode(name);
  }

  /// A file in the result of a workflow's step.
  ///
  /// @param step its place, from 0
  public static String stepFile(String id, int step, String name) {
    return of(ExecutionKind.WORKFLOW, id) + "/steps/" + step + "/files/" + encode(name);
  }

  private static String encode(String segment) {
    return URLEncoder.encode(segment, UTF_8).replace("+", "%20");
  }
}
