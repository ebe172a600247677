/// The tools that come with the worker (C3.11). Each says what its arguments are; they are checked
/// before it is called.
@NullMarked
package io.tidemill.worker.tool;

import org.jspecify.annotations.NullMarked;
