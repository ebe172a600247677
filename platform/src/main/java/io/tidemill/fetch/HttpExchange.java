package io.tidemill.fetch;

import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.connection.ConnectionPool;
import io.tidemill.fetch.connection.ConnectionRoute;
import io.tidemill.fetch.connection.FetchDeadline;
import io.tidemill.fetch.connection.FetchException;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.fetch.connection.Interruption;
import io.tidemill.fetch.connection.MeteredConnection;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.jspecify.annotations.Nullable;

/// One request and its reply, over a connection that is kept when it is still good after it.
final class HttpExchange {
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
  private static final Set<Integer> WITHOUT_BODY = Set.of(204, 205, 304);
  private static final int MOST_INTERIM = 8;
  private static final int DIRECT = 256 * 1024;
  private static final int WORTH_DRAINING = 16 * 1024;

  private final Limits limits;
  private final ConnectionPool connections;
  private final Connector connector;
  private final FetchMeters meters;

  /// @param wire the most bytes of a body as sent
  /// @param body the most bytes of a body unpacked
  record Limits(long head, long wire, long body, int ratio) {}

  HttpExchange(Limits limits, ConnectionPool connections, Connector connector, FetchMeters meters) {
    this.limits = limits;
    this.connections = connections;
    this.connector = connector;
    this.meters = meters;
  }

  /// What one fetch brings along to each of its requests.
  record ExchangeContext(
      FetchRequest request,
      FetchDeadline deadline,
      MemoryBudget.Share share,
      BufferPool.Loan loan) {}

  FetchReply run(WebUrl url, String head, ExchangeContext context) throws FetchException {
    var packed = transfer(ConnectionRoute.to(url), head, context, this::receive);
    return switch (packed) {
      case Packed.Elsewhere(var location) -> new FetchReply.Redirect(location);
      case Packed.Body body -> unpack(body, context);
    };
  }

  /// Sends something and looks at the head of the reply alone, whatever comes behind it.
  FetchReply.Content send(WebUrl url, String request, ExchangeContext context)
      throws FetchException {
    return transfer(ConnectionRoute.to(url), request, context, this::receiveHead);
  }

  /// Takes what comes behind the head of a reply.
  private interface Receiving<T> {
    T receive(
        ConnectionPool.Lease lease,
        MeteredConnection wire,
        ClassicHttpResponse response,
        ExchangeContext context)
        throws FetchException;
  }

  /// The reply as it came.
  private sealed interface Packed {
    record Elsewhere(String location) implements Packed {}

    record Body(
        int status, HttpHeaders headers, List<String> encodings, BoundedBytes bytes, boolean isCut)
        implements Packed {}
  }

  private <T> T transfer(
      ConnectionRoute route, String head, ExchangeContext context, Receiving<T> receiving)
      throws FetchException {
    try (var lease = connections.lease(route, context.deadline)) {
      var used = lease.reuse();
      if (used != null) {
        var response = ask(used, head, true, context);
        if (response != null) {
          meters.reused();
          return receiving.receive(lease, used, response, context);
        }
      }
      lease.drop();
      var fresh = connector.open(route, context.deadline);
      lease.use(fresh);
      var response = ask(fresh, head, false, context);
      if (response == null) throw protocol("the host closed the connection without an answer");
      return receiving.receive(lease, fresh, response, context);
    }
  }

  /// The final answer's head; null when the connection had been closed before we asked, which is
  /// nobody's fault: a host may do so at any time.
  private @Nullable ClassicHttpResponse ask(
      MeteredConnection wire, String head, boolean isUsed, ExchangeContext context)
      throws FetchException {
    var before = wire.received();
    context.deadline.watch(wire.socket());
    try {
      wire.send(head);
      return answer(wire);
    } catch (NoHttpResponseException nothing) {
      checkStop(context.deadline);
      return null;
    } catch (IOException | HttpException | RuntimeException broken) {
      checkStop(context.deadline);
      if (isUsed && wire.received() == before && broken instanceof IOException) return null;
      throw failure(broken);
    }
  }

  private ClassicHttpResponse answer(MeteredConnection wire)
      throws IOException, HttpException, FetchException {
    for (int i = 0; i < MOST_INTERIM; i++) {
      // What the buffer holds beyond the head belongs to the body.
      wire.allow(limits.head + MeteredConnection.BUFFER);
      var response = wire.receiveResponseHeader();
      if (response.getCode() >= 200) return response;
      if (response.getCode() == 101) break;
    }
    throw protocol("the host did not come to an answer");
  }

  private Packed receive(
      ConnectionPool.Lease lease,
      MeteredConnection wire,
      ClassicHttpResponse response,
      ExchangeContext context)
      throws FetchException {
    try {
      var location = response.getFirstHeader("Location");
      var isRedirect = REDIRECTS.contains(response.getCode()) && location != null;
      var packed = isRedirect ? null : body(wire, response, context);
      var isRead = packed == null ? drain(wire, response, context) : !packed.isCut;
      context.deadline.unwatch();
      if (isRead && isReusable(wire, response)) lease.keep();
      return packed == null ? new Packed.Elsewhere(location.getValue()) : packed;
    } catch (IOException | HttpException | RuntimeException broken) {
      checkStop(context.deadline);
      throw failure(broken);
    }
  }

  private FetchReply.Content receiveHead(
      ConnectionPool.Lease lease,
      MeteredConnection wire,
      ClassicHttpResponse response,
      ExchangeContext context) {
    var hasBody = !WITHOUT_BODY.contains(response.getCode());
    try {
      var isRead = !hasBody || drain(wire, response, context);
      context.deadline.unwatch();
      if (isRead && isReusable(wire, response)) lease.keep();
    } catch (IOException | HttpException | RuntimeException damaged) {
      // The host has said what it thinks of the request: the connection is lost, nothing else.
    }
    return new FetchReply.Content(response.getCode(), headers(response), new byte[0], hasBody, 0);
  }

  private static boolean isReusable(MeteredConnection wire, ClassicHttpResponse response) {
    return wire.isClean()
        && DefaultConnectionReuseStrategy.INSTANCE.keepAlive(null, response, null);
  }

  private Packed.Body body(
      MeteredConnection wire, ClassicHttpResponse response, ExchangeContext context)
      throws IOException, HttpException, FetchException {
    var headers = headers(response);
    if (WITHOUT_BODY.contains(response.getCode())) {
      var nothing = BoundedBytes.ofCapacity(0, 0, context.share);
      return new Packed.Body(response.getCode(), headers, List.of(), nothing, false);
    }
    var encodings = BodyDecoder.encodings(headers);
    wire.receiveResponseEntity(response);
    var entity = response.getEntity();
    wire.allow(limits.wire + MeteredConnection.BUFFER);
    var most = encodings.isEmpty() ? Math.min(limits.wire, wanted(context)) : limits.wire;
    var cutsLong = context.request.cutsLong();
    if (entity.getContentLength() > most && !cutsLong) throw tooLarge();
    var bytes = read(entity.getContent(), entity.getContentLength(), most, context);
    var isCut = bytes.isOver();
    if (isCut && !cutsLong) throw tooLarge();
    bytes.cut();
    return new Packed.Body(response.getCode(), headers, encodings, bytes, isCut);
  }

  private long wanted(ExchangeContext context) {
    return Math.min(limits.body, context.request.maxBytes());
  }

  private static HttpHeaders headers(ClassicHttpResponse response) {
    var all = response.getHeaders();
    var fields = new ArrayList<String>(all.length * 2);
    for (var header : all) {
      fields.add(header.getName());
      fields.add(header.getValue() == null ? "" : header.getValue());
    }
    return HttpHeaders.of(fields);
  }

  private static BoundedBytes read(InputStream in, long length, long most, ExchangeContext context)
      throws IOException, FetchException {
    if (length >= 0 && length <= Math.min(DIRECT, most)) return exactly(in, (int) length, context);
    var bytes = BoundedBytes.in(context.loan.wire(), most, context.share);
    try {
      while (!bytes.isOver() && bytes.readFrom(in)) {}
    } catch (MeteredConnection.TooMuch endless) {
      // Many small chunks: the body is within its limit, but what came in is not.
      if (!context.request.cutsLong()) throw endless;
      bytes.overrun();
    }
    return bytes;
  }

  private static BoundedBytes exactly(InputStream in, int length, ExchangeContext context)
      throws IOException, FetchException {
    var bytes = BoundedBytes.ofCapacity(length, length, context.share);
    while (bytes.free() > 0) {
      if (!bytes.readFrom(in)) throw protocol("the body broke off");
    }
    return bytes;
  }

  /// Reads away the few words that nobody wants; false when they are more than a few.
  private boolean drain(
      MeteredConnection wire, ClassicHttpResponse response, ExchangeContext context)
      throws IOException, HttpException {
    wire.receiveResponseEntity(response);
    var entity = response.getEntity();
    if (entity.getContentLength() > WORTH_DRAINING) return false;
    wire.allow(WORTH_DRAINING + MeteredConnection.BUFFER);
    var in = entity.getContent();
    var scratch = context.loan.wire();
    for (int left = WORTH_DRAINING; left > 0; ) {
      var count = in.read(scratch, 0, left);
      if (count < 0) return true;
      left -= count;
    }
    return false;
  }

  private FetchReply.Content unpack(Packed.Body packed, ExchangeContext context)
      throws FetchException {
    var wireBytes = packed.bytes.length();
    var bytes = packed.bytes;
    if (!packed.encodings.isEmpty()) {
      var decoder =
          new BodyDecoder(
              context.loan, context.share, wireBytes, packed.isCut, wanted(context), limits.ratio);
      bytes = decoder.decode(packed.encodings, bytes);
    }
    var isLong = bytes.isOver();
    if (isLong && !context.request.cutsLong()) throw tooLarge();
    bytes.cut();
    return new FetchReply.Content(
        packed.status, packed.headers, bytes.take(), packed.isCut || isLong, wireBytes);
  }

  private void checkStop(FetchDeadline deadline) throws FetchException {
    if (Thread.currentThread().isInterrupted()) throw Interruption.asFailure();
    deadline.check();
    if (connections.isClosed()) throw Interruption.asFailure();
  }

  private static FetchException failure(Exception broken) {
    return switch (broken) {
      case MeteredConnection.TooMuch _ -> tooLarge();
      case HttpException _ -> protocol("the answer is not HTTP as we know it");
      case IOException _ -> protocol("the connection broke before the answer was complete");
      default -> protocol("the answer can't be read");
    };
  }

  private static FetchException protocol(String reason) {
    return new FetchException(FetchFailure.PROTOCOL, reason);
  }

  private static FetchException tooLarge() {
    return new FetchException(FetchFailure.TOO_LARGE, "the answer is larger than the limit");
  }
}
