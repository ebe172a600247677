/// Connections for fetches: resolved once, every address checked, every byte counted, a deadline on
/// all of it.
@NullMarked
package io.tidemill.fetch.connection;

import org.jspecify.annotations.NullMarked;
