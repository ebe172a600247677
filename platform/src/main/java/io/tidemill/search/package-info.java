/// Queries, pages and results of the search (C4.7), whatever the engine.
@NullMarked
package io.tidemill.search;

import org.jspecify.annotations.NullMarked;
