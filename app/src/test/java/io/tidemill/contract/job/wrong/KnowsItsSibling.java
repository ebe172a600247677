package io.tidemill.contract.job.wrong;

import io.tidemill.contract.workflow.ExecutionNames;
import org.slf4j.Logger;

/// A contract that knows its sibling, and a library that no contract needs.
public record KnowsItsSibling(ExecutionNames names, Logger log) {}
