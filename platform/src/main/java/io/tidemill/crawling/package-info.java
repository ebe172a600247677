/// Starting crawls (C1.4), for whoever wants one: the gateway for a client, the processor for a
/// workflow.
@NullMarked
package io.tidemill.crawling;

import org.jspecify.annotations.NullMarked;
