package io.tidemill.worker.wrong;

import io.tidemill.servers.RedisServer;

/// Breaks rule 7 in every way; never called.
public record ActsLikeAMain(RedisServer server) {
  void act() {
    System.out.println(System.getenv("HOME"));
    System.err.println(System.getenv());
    Runtime.getRuntime().halt(1);
    System.exit(1);
  }
}
