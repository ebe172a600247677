package io.tidemill.http.wrong;

import com.rabbitmq.client.ConnectionFactory;
import io.tidemill.redis.Redis;
import io.tidemill.worker.JobWorker;
import org.apache.kafka.clients.admin.Admin;
import redis.clients.jedis.Jedis;

/// A transport that uses the libraries of three others, knows another one, and a role.
public record TalksToServers(
    Admin kafka, ConnectionFactory amqp, Jedis jedis, Redis redis, JobWorker worker) {}
