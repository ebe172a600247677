package io.tidemill.http.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import io.tidemill.http.HttpConfig;
import java.util.Set;

/// Creates HTTP/1.1 connections with deadlines.
final class WatchedSelector implements ServerConnectionSelector {
  private final ServerConnectionSelector http;
  private final ConnectionWatch watch;
  private final HttpConfig config;

  WatchedSelector(ConnectionWatch watch, HttpConfig config) {
    this.watch = watch;
    this.config = config;
    var protocol =
        Http1Config.builder()
            .addReceiveListener(new HeadRead())
            .addSendListener(new Answering())
            .build();
    this.http = Http1ConnectionSelector.builder().config(protocol).build();
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    var deadlines = new ConnectionDeadlines(config, () -> context.serverSocket().close());
    var watched = new WatchedContext(context, deadlines);
    return new WatchedConnection(watch, deadlines, http.connection(watched));
  }

  private static final class HeadRead implements Http1ConnectionListener {
    @Override
    public void headers(ConnectionContext context, Headers headers) {
      if (context instanceof WatchedContext watched) watched.deadlines().receive();
    }
  }

  private static final class Answering implements Http1ConnectionListener {
    @Override
    public void status(ConnectionContext context, Status status) {
      if (context instanceof WatchedContext watched) watched.deadlines().answering();
    }
  }
}
