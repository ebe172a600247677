/// The command line: the commands that are not about one kind of thing, and the root of all.
@NullMarked
package io.tidemill.cli;

import org.jspecify.annotations.NullMarked;
