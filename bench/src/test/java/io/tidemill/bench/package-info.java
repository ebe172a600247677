@NullMarked
package io.tidemill.bench;

import org.jspecify.annotations.NullMarked;
