package io.tidemill.job.wrong;

import io.tidemill.crawl.CrawlStore;
import io.tidemill.gateway.EventStream;
import io.tidemill.http.Problem;

/// A domain that knows another one, a role, and how HTTP says what went wrong.
public record KnowsAnotherDomain(CrawlStore crawls, EventStream events, Problem problem) {}
