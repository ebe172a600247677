/// The search index: pages in, answers out (C4.7).
@NullMarked
package io.tidemill.store.search;

import org.jspecify.annotations.NullMarked;
