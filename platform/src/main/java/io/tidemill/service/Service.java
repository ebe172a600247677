package io.tidemill.service;

/// Something that runs between [#start] and [#stop]: a server, a consumer, a sweep.
public interface Service {
  /// The name that logs and errors use.
  String name();

  /// Returns when the service does its work; throws when it can not.
  void start();

  /// Finishes what is in flight and returns; a service that never started has nothing to do.
  void stop();
}
