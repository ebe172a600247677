/// What the engines can do when nothing of ours stands around them.
@NullMarked
package io.tidemill.bench.raw;

import org.jspecify.annotations.NullMarked;
