package io.tidemill.servers;

import java.io.IOException;
import java.nio.file.Path;

/// Runs one server in a JVM of its own, for tests that kill that JVM.
final class ChildMain {

  private ChildMain() {}

  public static void main(String[] args) throws IOException {
    try (var server = server(args[0], Path.of(args[1]))) {
      server.start();
      System.out.println("ready " + server.address());
      if (server instanceof RedisServer redis) System.out.println("pid " + redis.pid());
      while (System.in.read() >= 0) {} // until the test closes the pipe
    }
    System.exit(0);
  }

  static LocalServer server(String name, Path dir) {
    return switch (name) {
      case "kafka" -> new KafkaServer(dir, 0);
      case "amqp" -> new AmqpServer(dir, 0, "guest", "guest");
      case "redis" -> new RedisServer(dir, 0);
      case "s3" -> new S3Server(dir, 0, "tidemill", "tidemill-secret");
      default -> throw new IllegalArgumentException(name);
    };
  }
}
