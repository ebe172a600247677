/// `tidemill job`
@NullMarked
package io.tidemill.cli.job;

import org.jspecify.annotations.NullMarked;
