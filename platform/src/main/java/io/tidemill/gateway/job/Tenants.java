package io.tidemill.gateway.job;

import io.tidemill.http.RequestHeaders;
import io.tidemill.job.JobBacklog;
import java.util.Optional;
import java.util.regex.Pattern;

/// Whose turn at the queue a request takes: that of its API key, or of the tenant it names where
/// there are no keys.
///
/// A holder of a key could name a new tenant with each job, and get a turn for each: so the name
/// counts beside a key only where that is trusted.
public record Tenants(boolean trusted) {
  /// The header that names a tenant.
  public static final String HEADER = "X-Tenant";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /// The tenant; throws [RequestHeaders.Wrong] when the request names one that can't be.
  ///
  /// @param named the value of the header
  /// @param caller what stands for the API key
  public String of(Optional<String> named, Optional<String> caller) {
    if (named.isPresent() && !NAME.matcher(named.get()).matches()) {
      throw new RequestHeaders.Wrong(HEADER, "have 1 to 64 letters, digits, '.', '_' or '-'");
    }
    // No name has a colon: nobody can call himself a key.
    var key = caller.map(mark -> "key:" + mark);
    if (key.isPresent() && !trusted) return key.get();
    return named.or(() -> key).orElse(JobBacklog.DEFAULT_TENANT);
  }
}
