/// Fetches from the web without being led astray: guarded addresses, bounded bodies, redirects by
/// hand.
@NullMarked
package io.tidemill.fetch;

import org.jspecify.annotations.NullMarked;
