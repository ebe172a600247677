/// Starting crawls (C1.4) and showing them, for whoever wants one: the gateway for a client, the
/// processor for a workflow, the worker for a tool.
@NullMarked
package io.tidemill.crawling;

import org.jspecify.annotations.NullMarked;
