/// What all of our Lucene indexes share: words of many languages, snapshots, deadlines.
@NullMarked
package io.tidemill.lucene;

import org.jspecify.annotations.NullMarked;
