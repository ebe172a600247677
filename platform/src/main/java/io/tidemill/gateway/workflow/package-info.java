/// Workflows and tasks over HTTP (C2), those of other gateways and processors included.
@NullMarked
package io.tidemill.gateway.workflow;

import org.jspecify.annotations.NullMarked;
