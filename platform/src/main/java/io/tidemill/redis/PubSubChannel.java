package io.tidemill.redis;

import io.tidemill.service.Service;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/// Subscribes to a Redis channel, for hints only: messages may be missed.
public final class PubSubChannel implements Service {
  private static final int SILENCE_MILLIS = 30_000;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));

  private final Redis redis;
  private final String channel;
  private final Consumer<String> listener;
  private final Thread thread;
  private volatile boolean stopping;
  private volatile @Nullable Connection connection;

  public PubSubChannel(Redis redis, String channel, Consumer<String> listener) {
    this.redis = redis;
    this.channel = channel;
    this.listener = listener;
    thread = Thread.ofPlatform().daemon().name("channel " + channel).unstarted(this::listen);
  }

  @Override
  public String name() {
    return "channel " + channel;
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void stop() {
    stopping = true;
    thread.interrupt();
    disconnect();
  }

  private void listen() {
    var failures = 0;
    while (!stopping) {
      try {
        // Reconnects after a long silence: the connection may have died unnoticed.
        var open = redis.connect(SILENCE_MILLIS);
        connection = open;
        open.sendCommand(redis.command(Command.SUBSCRIBE, channel));
        failures = 0;
        while (!stopping) receive(open.getOne());
      } catch (JedisException broken) {
        disconnect();
        if (!stopping) BACKOFF.pause(++failures);
      }
    }
    disconnect();
  }

  private void receive(@Nullable Object reply) {
    var parts = Redis.list(reply);
    if (parts.size() == 3 && Redis.text(parts.getFirst()).equals("message")) {
      listener.accept(Redis.text(parts.get(2)));
    }
  }

  private void disconnect() {
    var open = connection;
    connection = null;
    Redis.disconnect(open);
  }
}
