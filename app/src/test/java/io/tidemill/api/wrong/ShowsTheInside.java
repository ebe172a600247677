package io.tidemill.api.wrong;

import io.tidemill.redis.Redis;

/// A plug-in interface that shows the inside.
public record ShowsTheInside(Redis redis) {}
