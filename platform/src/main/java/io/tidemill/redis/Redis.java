package io.tidemill.redis;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.JedisURIHelper;

/// The client of one Redis: many callers share a few pipelined connections.
///
/// It never repeats a command by itself.
public final class Redis implements AutoCloseable {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private final RedisConfig config;
  private final KeyPrefix prefix;
  private final List<PipelinedConnection> connections;
  private final AtomicInteger next = new AtomicInteger();

  public Redis(RedisConfig config) {
    this.config = config;
    prefix = new KeyPrefix(config.prefix());
    connections =
        IntStream.range(0, config.connections())
            .mapToObj(n ->
                new PipelinedConnection(
                    "redis-" + n, () -> connect((int) config.timeout().toMillis())))
            .toList();
  }

  /// The address, without user and password.
  public String address() {
    return config.url().replaceFirst("//[^/]*@", "//");
  }

  /// A connection for commands that block; the caller closes it with [#disconnect].
  ///
  /// @param timeoutMillis how long a read may take; 0 = for ever
  public Connection connect(int timeoutMillis) {
    var uri = URI.create(config.url());
    var builder =
        DefaultJedisClientConfig.builder()
            .resp2()
            .connectionTimeoutMillis((int) config.timeout().toMillis())
            .socketTimeoutMillis(timeoutMillis)
            .clientName("tidemill")
            .database(JedisURIHelper.getDBIndex(uri));
    if (JedisURIHelper.isRedisSSLScheme(uri)) builder.sslOptions(SslOptions.defaults());
    var password = JedisURIHelper.getPassword(uri);
    if (password != null) builder.password(password);
    var user = JedisURIHelper.getUser(uri);
    if (user != null && !user.isEmpty()) builder.user(user);
    var connection = new Connection(JedisURIHelper.getHostAndPort(uri), builder.build());
    connection.connect();
    return connection;
  }

  /// Closes a connection of [#connect], broken or not.
  public static void disconnect(@Nullable Connection connection) {
    if (connection == null) return;
    try {
      connection.disconnect();
    } catch (JedisException alreadyGone) {
      // There is nothing left to close.
    }
  }

  /// Runs one command.
  ///
  /// @throws RedisException when Redis refused it or did not answer
  public @Nullable Object call(RedisCommand command, Object... arguments) {
    return call(command.command(), arguments);
  }

  /// Runs any command.
  ///
  /// @throws RedisException when Redis refused it or did not answer
  public @Nullable Object call(Command command, Object... arguments) {
    return await(command(command, arguments), command.name());
  }

  /// A command for a connection of [#connect], with its keys as this Redis has them.
  public CommandArguments command(Command command, Object... arguments) {
    return new CommandArguments(command).addObjects(prefix.arguments(command, arguments));
  }

  /// What a key or channel is called on this Redis.
  public String onServer(String key) {
    return prefix.add(key);
  }

  /// Our name of a key that a reply has.
  public String original(String key) {
    return prefix.remove(key);
  }

  /// Runs a script.
  ///
  /// @throws RedisException when the script failed or did not answer
  public @Nullable Object run(Script plain, List<String> names, List<?> arguments) {
    var script = prefix.script(plain);
    var keys = prefix.add(names);
    try {
      return await(evaluate(Command.EVALSHA, script.sha(), keys, arguments), script.name());
    } catch (RedisException refused) {
      if (!(refused.getCause() instanceof JedisNoScriptException)) throw refused;
      // Redis does not know the script, so it did not run and may be sent again.
      return await(evaluate(Command.EVAL, script.body(), keys, arguments), script.name());
    }
  }

  private static CommandArguments evaluate(
      Command command, String script, List<String> keys, List<?> arguments) {
    return new CommandArguments(command)
        .add(script)
        .add(keys.size())
        .addObjects(keys)
        .addObjects(arguments);
  }

  private @Nullable Object await(CommandArguments command, String name) {
    var connection = connections.get(Math.floorMod(next.getAndIncrement(), connections.size()));
    var answer = connection.send(command);
    try {
      // The connection's own socket timeout ends the wait; this one only guards against a
      // connection whose thread died.
      return answer.get(config.timeout().toMillis() * 3, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      var cause = failed.getCause() == null ? failed : failed.getCause();
      throw new RedisException("redis " + name + ": " + cause.getMessage(), cause);
    } catch (TimeoutException silent) {
      answer.cancel(false); // if it has not been sent yet, it never will be
      throw new RedisException("redis " + name + ": no answer", silent);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new RedisException("redis " + name + ": interrupted", stopped);
    }
  }

  /// A section of INFO.
  Map<String, String> info(String section) {
    var info = new LinkedHashMap<String, String>();
    text(call(Command.INFO, section))
        .lines()
        .filter(line -> line.indexOf(':') > 0)
        .map(line -> line.split(":", 2))
        .forEach(field -> info.put(field[0], field[1].strip()));
    return info;
  }

  /// A reply's text.
  public static String text(@Nullable Object reply) {
    return reply instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(reply);
  }

  /// A number in a text that another program may have written; 0 when it is none.
  public static long number(@Nullable String text) {
    return text != null && NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
  }

  /// A script's answer as the constant of that name.
  ///
  /// @throws IllegalArgumentException when there is none
  public static <E extends Enum<E>> E constant(Class<E> type, @Nullable Object reply) {
    return Enum.valueOf(type, text(reply).toUpperCase(Locale.ROOT));
  }

  /// A reply's list; an empty one for nil.
  @SuppressWarnings("unchecked")
  public static List<Object> list(@Nullable Object reply) {
    return reply == null ? List.of() : (List<Object>) reply;
  }

  /// A flat reply of names and values as text.
  public static Map<String, String> map(@Nullable Object reply) {
    var flat = list(reply);
    var map = new LinkedHashMap<String, String>();
    for (int i = 0; i + 1 < flat.size(); i += 2) map.put(text(flat.get(i)), text(flat.get(i + 1)));
    return map;
  }

  /// A flat reply of names and values, the values as they are.
  public static Map<String, byte[]> rawMap(@Nullable Object reply) {
    var flat = list(reply);
    var map = new LinkedHashMap<String, byte[]>();
    for (int i = 0; i + 1 < flat.size(); i += 2) {
      map.put(text(flat.get(i)), (byte[]) flat.get(i + 1));
    }
    return map;
  }

  @Override
  public void close() {
    connections.forEach(PipelinedConnection::close);
  }
}
