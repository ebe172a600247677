package io.tidemill.worker.wrong;

import io.tidemill.servers.RedisServer;

/// Starts a server, reads the environment, prints and exits; never called.
public record ActsLikeAMain(RedisServer server) {
  void act() {
    System.out.println(System.getenv("HOME"));
    System.err.println(System.getenv());
    Runtime.getRuntime().halt(1);
    System.exit(1);
  }
}
