package io.tidemill.fetch;

import io.tidemill.fetch.connection.ConnectionRoute;
import io.tidemill.fetch.connection.Dialer;
import io.tidemill.fetch.connection.FetchDeadline;
import io.tidemill.fetch.connection.FetchException;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.fetch.connection.Interruption;
import io.tidemill.fetch.connection.MeteredConnection;
import io.tidemill.fetch.connection.SafeAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.core5.http.config.Http1Config;
import org.jspecify.annotations.Nullable;

/// Opens connections: to checked addresses only, with TLS where the URL says so.
final class Connector {
  private static final int MOST_ADDRESSES = 4;
  private static final int MOST_FIELDS = 300;
  private static final int MOST_EMPTY_LINES = 5;

  private final SafeAddresses addresses;
  private final Dialer dialer;
  private final Supplier<SSLSocketFactory> tls;
  private final Duration connectTimeout;
  private final Http1Config http;

  Connector(
      FetchConfig config, SafeAddresses addresses, Dialer dialer, Supplier<SSLSocketFactory> tls) {
    this.addresses = addresses;
    this.dialer = dialer;
    this.tls = tls;
    connectTimeout = config.connectTimeout();
    http =
        Http1Config.custom()
            .setBufferSize(MeteredConnection.BUFFER)
            .setMaxHeaderCount(MOST_FIELDS)
            .setMaxLineLength((int) config.maxHead().bytes())
            .setMaxEmptyLineCount(MOST_EMPTY_LINES)
            .build();
  }

  MeteredConnection open(ConnectionRoute route, FetchDeadline deadline) throws FetchException {
    var socket = dial(route, deadline);
    var isOpen = false;
    try {
      deadline.watch(socket);
      var wire = new MeteredConnection(socket, route.isTls() ? secure(socket, route) : null, http);
      isOpen = true;
      return wire;
    } catch (IOException failed) {
      throw handshake(failed, deadline);
    } finally {
      if (!isOpen) close(socket);
    }
  }

  private Socket dial(ConnectionRoute route, FetchDeadline deadline) throws FetchException {
    @Nullable IOException last = null;
    var found = addresses.of(route, deadline);
    for (var address : found.subList(0, Math.min(found.size(), MOST_ADDRESSES))) {
      deadline.check();
      try {
        return dial(address, route.port(), deadline);
      } catch (IOException failed) {
        last = failed;
      }
    }
    if (Thread.currentThread().isInterrupted()) throw Interruption.asFailure();
    deadline.check();
    var isSlow = last instanceof SocketTimeoutException;
    throw new FetchException(
        FetchFailure.CONNECT,
        isSlow ? "the host did not accept a connection in time" : "the host refuses connections");
  }

  private Socket dial(InetAddress address, int port, FetchDeadline deadline) throws IOException {
    return dialer.connect(address, port, deadline.leftMillis(connectTimeout.toMillis()));
  }

  private SSLSocket secure(Socket socket, ConnectionRoute route) throws IOException {
    var host = route.bareHost();
    // `example.org.` is the same host, but certificates and servers know it without the dot.
    var name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    var secured = (SSLSocket) tls.get().createSocket(socket, name, route.port(), true);
    var parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setApplicationProtocols(new String[] {"http/1.1"});
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  private static FetchException handshake(IOException failed, FetchDeadline deadline)
      throws FetchException {
    if (Thread.currentThread().isInterrupted()) throw Interruption.asFailure();
    deadline.check();
    return failed instanceof SSLException
        ? new FetchException(FetchFailure.TLS, "no secure connection: " + failed.getMessage())
        : new FetchException(FetchFailure.CONNECT, "the connection broke while it was opened");
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed all the same.
    }
  }
}
