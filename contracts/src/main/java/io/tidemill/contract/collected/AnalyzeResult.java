package io.tidemill.contract.collected;

import io.tidemill.json.Json;

/// What became of a batch, as the message `analyze.result` tells it.
///
/// @param succeeded items that were analysed
/// @param failed items that were not
public record AnalyzeResult(String projectId, String jobId, int succeeded, int failed) {
  /// The message's body.
  public byte[] json() {
    return Json.bytes(
        Json.object()
            .put("project_id", projectId)
            .put("job_id", jobId)
            .put("task_type", "analyze_result")
            .put("batch_size", succeeded + failed)
            .put("success_count", succeeded)
            .put("error_count", failed));
  }
}
