/// The tools that come with the worker (C3.11). Arguments are checked against a tool's schema
/// before the call.
@NullMarked
package io.tidemill.worker.tool;

import org.jspecify.annotations.NullMarked;
