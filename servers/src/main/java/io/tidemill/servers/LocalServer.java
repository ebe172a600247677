package io.tidemill.servers;

/// A real protocol server on this machine's loopback interface.
///
/// A closed server may be started again: it finds its data where it left it.
public interface LocalServer extends AutoCloseable {

  /// What it speaks: `kafka`, `amqp`, `redis` or `s3`.
  String name();

  /// Starts and returns when the server accepts requests.
  ///
  /// @throws ServerException with one line that says what went wrong
  void start();

  int port();

  /// The address in the form a client takes, such as `redis://127.0.0.1:6379`.
  String address();

  /// Stops the server. Takes seconds at most, and calling it again does nothing.
  @Override
  void close();
}
