/// The command line: its root, and the commands that belong to no kind of resource.
@NullMarked
package io.tidemill.cli;

import org.jspecify.annotations.NullMarked;
