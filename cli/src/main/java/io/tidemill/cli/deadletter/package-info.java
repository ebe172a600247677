/// `tidemill dead`
@NullMarked
package io.tidemill.cli.deadletter;

import org.jspecify.annotations.NullMarked;
