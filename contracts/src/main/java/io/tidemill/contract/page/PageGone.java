package io.tidemill.contract.page;

import java.time.Instant;

/// A page that is no longer to be found: it answered 404 or 410, says `noindex`, or somebody
/// deleted it.
///
/// @param url normalised (C4.4)
/// @param timestamp when it was seen to be so; an older version of the page does not come back
/// @param reason for people, such as `410` or `noindex`; empty when nobody said
public record PageGone(String url, Instant timestamp, String reason) {}
