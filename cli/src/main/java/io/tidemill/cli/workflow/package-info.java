/// `tidemill workflow` and `tidemill task`
@NullMarked
package io.tidemill.cli.workflow;

import org.jspecify.annotations.NullMarked;
