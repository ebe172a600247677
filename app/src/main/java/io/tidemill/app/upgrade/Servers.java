package io.tidemill.app.upgrade;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.redis.Redis;
import io.tidemill.s3.S3Config;

/// The servers whose data a migration may change: a Redis that is open, and where the others are.
public record Servers(Redis redis, KafkaConfig kafka, AmqpConfig amqp, S3Config s3) {}
