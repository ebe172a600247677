package io.tidemill.job.wrong;

import io.tidemill.crawl.CrawlStore;
import io.tidemill.gateway.EventStream;

/// A domain that knows another one, and a role.
public record KnowsAnotherDomain(CrawlStore crawls, EventStream events) {}
