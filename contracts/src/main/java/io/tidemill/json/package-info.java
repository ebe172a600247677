/// The one JSON mapper, which numbers it can calculate with, and the names of fields.
@NullMarked
package io.tidemill.json;

import org.jspecify.annotations.NullMarked;
