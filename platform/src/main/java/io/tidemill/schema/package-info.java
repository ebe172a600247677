/// The JSON Schemas of the contracts, to hold messages against.
@NullMarked
package io.tidemill.schema;

import org.jspecify.annotations.NullMarked;
