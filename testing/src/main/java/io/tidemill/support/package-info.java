/// What the tests of all modules share.
@NullMarked
package io.tidemill.support;

import org.jspecify.annotations.NullMarked;
