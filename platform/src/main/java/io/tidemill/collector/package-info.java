/// The collector role: batches that `data.collected` announces (C5) are loaded, analysed item by
/// item and kept in the analytics database; a message is settled when its batch is committed there.
@NullMarked
package io.tidemill.collector;

import org.jspecify.annotations.NullMarked;
