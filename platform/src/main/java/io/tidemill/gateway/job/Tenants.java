package io.tidemill.gateway.job;

import io.tidemill.http.RequestHeaders;
import io.tidemill.job.JobBacklog;
import java.util.Optional;
import java.util.regex.Pattern;

/// The tenant of a request: its API key, or the tenant it names where there are no keys.
///
/// A client could name a new tenant with each job and get a turn for each, so beside a key the name
/// counts only where that is trusted.
public record Tenants(boolean trusted) {
  /// The header that names a tenant.
  public static final String HEADER = "X-Tenant";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /// The tenant; throws [RequestHeaders.Wrong] when the request names one that can't be.
  ///
  /// @param named the value of the header
  /// @param caller the digest of the API key
  public String of(Optional<String> named, Optional<String> caller) {
    if (named.isPresent() && !NAME.matcher(named.get()).matches()) {
      throw new RequestHeaders.Wrong(HEADER, "have 1 to 64 letters, digits, '.', '_' or '-'");
    }
    // Names have no colon, so none can be mistaken for a key.
    var key = caller.map(mark -> "key:" + mark);
    if (key.isPresent() && !trusted) return key.get();
    return named.or(() -> key).orElse(JobBacklog.DEFAULT_TENANT);
  }
}
