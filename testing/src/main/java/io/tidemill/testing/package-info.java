/// What the tests of all modules share.
@NullMarked
package io.tidemill.testing;

import org.jspecify.annotations.NullMarked;
