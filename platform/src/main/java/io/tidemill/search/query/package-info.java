/// Queries run on the indexes: words and meaning, facets, highlights, suggestions, explanations.
@NullMarked
package io.tidemill.search.query;

import org.jspecify.annotations.NullMarked;
