/// Tools over MCP and `/v1/tools`, from the outside (C3.11).
package io.tidemill.mcp;
