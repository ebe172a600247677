/// What commands share: options, the gateway's HTTP API as a client, events followed. What starts
/// the platform itself is not here: the app hands in a [Commands.Launcher].
@NullMarked
package io.tidemill.cli.client;

import org.jspecify.annotations.NullMarked;
