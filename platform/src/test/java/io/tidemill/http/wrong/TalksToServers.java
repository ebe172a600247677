package io.tidemill.http.wrong;

import com.rabbitmq.client.ConnectionFactory;
import io.tidemill.worker.JobHandler;
import org.apache.kafka.clients.admin.Admin;
import redis.clients.jedis.Jedis;

/// Breaks rule 5 for three libraries, and rule 1: machinery that knows a role.
public record TalksToServers(
    Admin kafka, ConnectionFactory amqp, Jedis redis, JobHandler handler) {}
