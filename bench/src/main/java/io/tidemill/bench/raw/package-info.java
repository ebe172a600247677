/// The engines alone, as the limit that ours are measured against.
@NullMarked
package io.tidemill.bench.raw;

import org.jspecify.annotations.NullMarked;
