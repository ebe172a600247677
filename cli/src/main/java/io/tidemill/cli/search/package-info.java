/// `tidemill search`, `pages` and `index`
@NullMarked
package io.tidemill.cli.search;

import org.jspecify.annotations.NullMarked;
