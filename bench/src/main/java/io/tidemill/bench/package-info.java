/// `tidemill bench`: ours against what the machine can do at all, in one run.
@NullMarked
package io.tidemill.bench;

import org.jspecify.annotations.NullMarked;
