/// The terminal: widths, colours, numbers and texts as people read them, exit codes.
@NullMarked
package io.tidemill.cli.terminal;

import org.jspecify.annotations.NullMarked;
