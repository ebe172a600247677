/// Commands that do the same to every kind of thing that the gateway has: list, show, follow and
/// cancel. A subject tells them what is particular to it in values: a [Resource], a [Listing], a
/// [FollowView].
@NullMarked
package io.tidemill.cli.resource;

import org.jspecify.annotations.NullMarked;
