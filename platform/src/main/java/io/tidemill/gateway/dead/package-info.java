/// The desk of dead letters: what could not be worked off, from every contract, found, grouped by
/// cause, looked at, mended and sent on its way again, one by one or many at a time.
@NullMarked
package io.tidemill.gateway.dead;

import org.jspecify.annotations.NullMarked;
