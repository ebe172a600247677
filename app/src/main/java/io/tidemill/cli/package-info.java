/// The commands of `./tidemill`: parsing, a client of the gateway's HTTP API, and words for people.
///
/// What starts the platform itself is not here: the app hands in a [Commands.Launcher].
@NullMarked
package io.tidemill.cli;

import org.jspecify.annotations.NullMarked;
