package io.tidemill.cli.client;

import io.tidemill.cli.terminal.Terminal;
import java.util.Map;

/// What every command is given.
public record CommandSession(
    Commands.Launcher launcher, Map<String, String> env, Terminal terminal) {}
