/// The JSON Schemas of contracts and tasks, and the validation of messages.
@NullMarked
package io.tidemill.schema;

import org.jspecify.annotations.NullMarked;
