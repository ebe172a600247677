package io.tidemill.contract.job;

import tools.jackson.databind.node.ObjectNode;

/// A tool as its worker announces it (C3.11).
///
/// @param inputSchema the JSON Schema of its arguments, see [ToolCodec#schemaFault]
/// @param readOnly whether callers without write access may call it
public record ToolSpec(String name, String description, ObjectNode inputSchema, boolean readOnly) {}
