/// Real Kafka, AMQP 0-9-1, Redis and S3 servers for one machine, each behind [LocalServer].
///
/// This package starts servers, keeps them on the loopback interface and stops them. It knows
/// nothing of Tidemill's contracts: no topic, queue, key or bucket is named here.
@NullMarked
package io.tidemill.servers;

import org.jspecify.annotations.NullMarked;
