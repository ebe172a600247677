/// Texts as vectors by a small built-in model: similar meanings are near each other.
@NullMarked
package io.tidemill.embedding;

import org.jspecify.annotations.NullMarked;
