/// Records as tables: the analytics database, and files that other tools read.
@NullMarked
package io.tidemill.store.analytics;

import org.jspecify.annotations.NullMarked;
