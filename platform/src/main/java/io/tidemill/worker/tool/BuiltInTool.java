package io.tidemill.worker.tool;

import io.tidemill.api.JobFailure;
import io.tidemill.api.Tool;
import tools.jackson.databind.node.ObjectNode;

/// A tool that comes with the worker.
abstract class BuiltInTool implements Tool {
  private final String name;
  private final boolean readOnly;
  private final String description;
  private final ObjectNode schema;

  /// @param schema see [ToolArguments#schema]
  BuiltInTool(String name, boolean readOnly, String description, ObjectNode schema) {
    this.name = name;
    this.readOnly = readOnly;
    this.description = description;
    this.schema = schema;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String description() {
    return description;
  }

  @Override
  public final ObjectNode schema() {
    return schema.deepCopy();
  }

  @Override
  public final boolean isReadOnly() {
    return readOnly;
  }

  /// This process lacks what the tool needs.
  static JobFailure notConfigured(String why) {
    return new JobFailure("NOT_CONFIGURED", why);
  }
}
