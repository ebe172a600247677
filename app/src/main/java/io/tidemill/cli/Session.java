package io.tidemill.cli;

import java.util.Map;

/// What every command is given.
record Session(Commands.Launcher launcher, Map<String, String> env, Terminal terminal) {}
