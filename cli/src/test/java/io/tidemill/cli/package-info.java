@NullMarked
package io.tidemill.cli;

import org.jspecify.annotations.NullMarked;
