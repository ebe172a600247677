/// The dashboard: the page that people keep open, and what only it asks for. Served beside the
/// gateway.
@NullMarked
package io.tidemill.dashboard;

import org.jspecify.annotations.NullMarked;
