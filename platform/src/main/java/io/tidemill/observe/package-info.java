/// Seeing what runs: metrics, traces and the context of log lines.
@NullMarked
package io.tidemill.observe;

import org.jspecify.annotations.NullMarked;
