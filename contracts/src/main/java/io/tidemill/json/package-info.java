/// The one JSON mapper, and which numbers it can calculate with.
@NullMarked
package io.tidemill.json;

import org.jspecify.annotations.NullMarked;
