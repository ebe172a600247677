/// The tools for assistants, by the Model Context Protocol.
@NullMarked
package io.tidemill.gateway.mcp;

import org.jspecify.annotations.NullMarked;
