/// Commands for every kind of resource of the gateway: list, show, follow and cancel. A kind
/// describes what is particular to it in values: a [Resource], a [Listing], a [FollowView].
@NullMarked
package io.tidemill.cli.resource;

import org.jspecify.annotations.NullMarked;
