package io.tidemill.fetch.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;

/// Opens a connection to exactly that address; tests count them here.
@FunctionalInterface
public interface Dialer {
  Socket connect(InetAddress address, int port, int timeoutMillis) throws IOException;

  /// Real sockets, which never go through a proxy of the system.
  static Dialer sockets() {
    return (address, port, timeoutMillis) -> {
      var socket = new Socket(Proxy.NO_PROXY);
      try {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(address, port), timeoutMillis);
        return socket;
      } catch (IOException | RuntimeException failed) {
        socket.close();
        throw failed;
      }
    };
  }
}
