package io.tidemill.gateway.file;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionPaths;
import io.tidemill.http.PublicUrl;
import io.tidemill.s3.ObjectAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The files that the results of workflows and tasks name (`s3://…`), and links to them.
///
/// Only what lies in a folder of ours counts: processors of other makes may write any address into
/// a result.
///
/// @param folders such as `s3://bucket/` or `s3://bucket/folder/`
public record ResultFiles(List<String> folders, PublicUrl gateway) {
  /// Where no object store is read.
  public static final ResultFiles NONE = new ResultFiles(List.of(), PublicUrl.UNKNOWN);

  public ResultFiles {
    folders = List.copyOf(folders);
  }

  /// Files of a task or workflow.
  ///
  /// @param shown as `GET` shows it
  List<ResultFile> in(ExecutionKind kind, JsonNode shown) {
    var files = new ArrayList<ResultFile>();
    switch (kind) {
      case TASK -> add(-1, shown.path("result"), files);
      case WORKFLOW -> {
        var results = shown.path("results");
        for (int i = 0; i < results.size(); i++) add(i, results.get(i).path("result"), files);
      }
    }
    return files;
  }

  private void add(int step, JsonNode result, List<ResultFile> files) {
    for (var field : result.properties()) {
      address(field.getValue())
          .ifPresent(found -> files.add(new ResultFile(step, field.getKey(), found)));
    }
  }

  private Optional<ObjectAddress> address(JsonNode value) {
    var text = value.isString() ? value.stringValue() : "";
    if (folders.stream().noneMatch(text::startsWith)) return Optional.empty();
    try {
      return Optional.of(ObjectAddress.parse(text));
    } catch (IllegalArgumentException noAddress) {
      return Optional.empty();
    }
  }

  /// Adds `files` to a task or workflow that has any: `[{"name","url","field","step"?}]`.
  public ObjectNode show(ExecutionKind kind, String id, ObjectNode shown) {
    var files = in(kind, shown);
    if (files.isEmpty()) return shown;
    var list = shown.putArray("files");
    for (var file : files) {
      var each = list.addObject().put("name", file.name());
      each.put("url", gateway.of(path(id, file))).put("field", file.field());
      if (file.step() >= 0) each.put("step", file.step());
    }
    return shown;
  }

  private static String path(String id, ResultFile file) {
    return file.step() < 0
        ? ExecutionPaths.taskFile(id, file.name())
        : ExecutionPaths.stepFile(id, file.step(), file.name());
  }
}
