/// What RabbitMQ does and Broker-J does not, on Broker-J's own plug-in points: strangers' programs
/// are written for RabbitMQ.
///
/// [RabbitProtocol] makes connections, [RabbitConnection] maps errors, [RabbitChannel] sees each
/// method before the broker does. What stays different is listed in `docs/contracts.md`.
@NullMarked
package io.tidemill.servers.rabbitmq;

import org.jspecify.annotations.NullMarked;
