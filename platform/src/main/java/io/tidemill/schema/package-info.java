/// The JSON Schemas of contracts and tasks, to hold messages against.
@NullMarked
package io.tidemill.schema;

import org.jspecify.annotations.NullMarked;
