package io.tidemill.content.wrong;

import io.tidemill.config.Settings;

/// Content that knows a setting.
public record ReadsSettings(Settings settings) {}
