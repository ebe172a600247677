package io.tidemill.gateway.job;

import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.job.JobBacklog;
import java.util.Optional;
import java.util.regex.Pattern;

/// Whose turn at the queue a request takes: that of its API key, or of the tenant it names where
/// there are no keys.
///
/// A holder of a key could name a new tenant with each job, and get a turn for each: so the name
/// counts beside a key only where that is trusted.
record Tenants(boolean trusted) {
  private static final String HEADER = "X-Tenant";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /// The tenant; empty when the request names one that can't be.
  Optional<String> of(Request request) {
    var named = request.header(HEADER);
    if (named.isPresent() && !NAME.matcher(named.get()).matches()) return Optional.empty();
    // No name has a colon: nobody can call himself a key.
    var key = request.caller().map(mark -> "key:" + mark);
    if (key.isPresent() && !trusted) return key;
    return Optional.of(named.or(() -> key).orElse(JobBacklog.DEFAULT_TENANT));
  }

  /// The answer to a name that can't be.
  static Response refusal() {
    return Response.problem(400, HEADER + " must have 1 to 64 letters, digits, '.', '_' or '-'");
  }
}
