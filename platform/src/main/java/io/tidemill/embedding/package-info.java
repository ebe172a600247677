/// Texts as vectors, by a small model inside this program: similar meanings lie near each other.
@NullMarked
package io.tidemill.embedding;

import org.jspecify.annotations.NullMarked;
