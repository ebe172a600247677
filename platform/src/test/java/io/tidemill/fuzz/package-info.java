/// One Jazzer target for each decoder of bytes from outside, run by `FuzzIT`.
@NullMarked
package io.tidemill.fuzz;

import org.jspecify.annotations.NullMarked;
