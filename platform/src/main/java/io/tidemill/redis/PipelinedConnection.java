package io.tidemill.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/// One connection that carries the commands of many callers.
///
/// Commands that queue up while a batch is in flight are the next batch: with `appendfsync always`
/// Redis then pays one fsync for all of them. A command is sent once. When the connection breaks,
/// all commands in flight fail, and the caller decides whether to repeat them.
final class PipelinedConnection implements AutoCloseable {
  private static final int BATCH = 512;

  private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
  private final Supplier<Connection> connect;
  private final Thread thread;
  private volatile boolean closed;
  private @Nullable Connection connection;

  private record Call(CommandArguments command, CompletableFuture<Object> answer) {}

  PipelinedConnection(String name, Supplier<Connection> connect) {
    this.connect = connect;
    // A platform thread: it must run even when every carrier of virtual threads is busy.
    thread = Thread.ofPlatform().daemon().name(name).start(this::sendAll);
  }

  CompletableFuture<Object> send(CommandArguments command) {
    var call = new Call(command, new CompletableFuture<>());
    calls.add(call);
    if (closed) fail(List.of(call), new JedisException("the client is closed"));
    return call.answer();
  }

  private void sendAll() {
    var batch = new ArrayList<Call>(BATCH);
    while (!closed) {
      try {
        batch.clear();
        batch.add(calls.take());
        calls.drainTo(batch, BATCH - 1);
        exchange(batch);
      } catch (InterruptedException stopped) {
        break;
      }
    }
    calls.drainTo(batch);
    fail(batch, new JedisException("the client is closed"));
    disconnect();
  }

  private void exchange(List<Call> batch) {
    try {
      batch.removeIf(call -> call.answer().isDone()); // the caller gave up
      if (connection == null) connection = connected();
      var open = connection;
      for (var call : batch) open.sendCommand(call.command());
      for (var call : batch) answer(call, open);
    } catch (RuntimeException | Error broken) {
      // This thread must survive, whatever it is.
      disconnect();
      fail(batch, broken);
    }
  }

  // An error at connect (too many clients, wrong password) is no reply to a command.
  private Connection connected() {
    try {
      return connect.get();
    } catch (JedisDataException refused) {
      throw new JedisConnectionException(refused.getMessage(), refused);
    }
  }

  // An error reply concerns one caller; a broken connection concerns all.
  private static void answer(Call call, Connection open) {
    try {
      call.answer().complete(open.getOne());
    } catch (JedisDataException refused) {
      call.answer().completeExceptionally(refused);
    }
  }

  private static void fail(List<Call> batch, Throwable cause) {
    for (var call : batch) call.answer().completeExceptionally(cause);
  }

  private void disconnect() {
    var open = connection;
    connection = null;
    Redis.disconnect(open);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
