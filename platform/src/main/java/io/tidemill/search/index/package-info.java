/// Pages in a Lucene index on the local disk.
@NullMarked
package io.tidemill.search.index;

import org.jspecify.annotations.NullMarked;
