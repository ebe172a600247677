/// What plug-ins implement and see: job handlers, tools, workflow steps, task types and the records
/// that go through them. Everything else of the platform is hidden from them.
@NullMarked
package io.tidemill.api;

import org.jspecify.annotations.NullMarked;
