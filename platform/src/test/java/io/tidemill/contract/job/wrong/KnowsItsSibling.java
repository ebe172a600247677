package io.tidemill.contract.job.wrong;

import io.tidemill.contract.flow.FlowNames;
import org.slf4j.Logger;

/// Breaks rule 3 twice: a sibling, and a library that no contract needs.
public record KnowsItsSibling(FlowNames names, Logger log) {}
