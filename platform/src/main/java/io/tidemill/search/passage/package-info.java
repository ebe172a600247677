/// Passages of pages with their vectors, in an index of their own beside that of the pages.
@NullMarked
package io.tidemill.search.passage;

import org.jspecify.annotations.NullMarked;
