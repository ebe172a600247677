package io.tidemill.fetch;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.content.url.Cidr;
import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.connection.AddressGuard;
import io.tidemill.fetch.connection.ConnectionPool;
import io.tidemill.fetch.connection.DeadlineTimer;
import io.tidemill.fetch.connection.Dialer;
import io.tidemill.fetch.connection.DnsResolver;
import io.tidemill.fetch.connection.FetchException;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.fetch.connection.SafeAddresses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/// Fetches from the web: only from public addresses, within limits of time and size, and without
/// ever throwing for what the web does (F47, F48). One serves any number of threads.
public final class Fetcher implements AutoCloseable {
  private static final Duration SWEEP = Duration.ofSeconds(1);

  private final FetchConfig config;
  private final SafeAddresses addresses;
  private final DeadlineTimer deadlines;
  private final MemoryBudget budget;
  private final BufferPool buffers = new BufferPool();
  private final ConnectionPool connections;
  private final RequestHead heads;
  private final HttpExchange exchange;
  private final FetchMeters meters;

  /// @param allowNetworks networks to visit although they are not public, on any port
  public Fetcher(
      FetchConfig config, List<Cidr> allowNetworks, DnsResolver names, MeterRegistry metrics) {
    this("pages", config, allowNetworks, names, metrics, Dialer.sockets(), Fetcher::systemTls);
  }

  /// @param use tells this one from others in metrics
  public Fetcher(
      String use,
      FetchConfig config,
      List<Cidr> allowNetworks,
      DnsResolver names,
      MeterRegistry metrics) {
    this(use, config, allowNetworks, names, metrics, Dialer.sockets(), Fetcher::systemTls);
  }

  Fetcher(
      FetchConfig config,
      List<Cidr> allowNetworks,
      DnsResolver names,
      MeterRegistry metrics,
      Dialer dialer,
      Supplier<SSLSocketFactory> tls) {
    this("pages", config, allowNetworks, names, metrics, dialer, tls);
  }

  private Fetcher(
      String use,
      FetchConfig config,
      List<Cidr> allowNetworks,
      DnsResolver names,
      MeterRegistry metrics,
      Dialer dialer,
      Supplier<SSLSocketFactory> tls) {
    this.config = config;
    var guard = new AddressGuard(allowNetworks);
    addresses = new SafeAddresses(guard, config.portNumbers(), names);
    deadlines = new DeadlineTimer(config.timeout());
    budget = new MemoryBudget(config.buffers().bytes(), config.bufferWait());
    connections =
        new ConnectionPool(
            config.maxConnections(), config.maxConnectionsPerHost(), config.keepAlive());
    deadlines.every(SWEEP, connections::sweep);
    heads = new RequestHead(config.agent());
    meters = new FetchMeters(metrics);
    Gauge.builder("fetch.connections.open", connections, ConnectionPool::open)
        .description("Connections to hosts, in use and waiting")
        .tag("use", use)
        .register(metrics);
    var connector = new Connector(config, addresses, dialer, tls);
    exchange = new HttpExchange(limits(config), connections, connector, meters);
  }

  private static HttpExchange.Limits limits(FetchConfig config) {
    return new HttpExchange.Limits(
        config.maxHead().bytes(),
        config.maxWire().bytes(),
        config.maxBody().bytes(),
        config.maxRatio());
  }

  private static SSLSocketFactory systemTls() {
    return (SSLSocketFactory) SSLSocketFactory.getDefault();
  }

  /// Fetches a URL, following redirects; waits at most `fetch.timeout`.
  public FetchResult fetch(FetchRequest request) {
    var started = System.nanoTime();
    var fetched = follow(request, started);
    meters.ended(fetched, System.nanoTime() - started);
    return fetched;
  }

  /// Sends something to a URL, under the same guard and limits as a fetch. A redirect is not
  /// followed, for what was meant for one host must not end up at another, and of the answer only
  /// the head counts: it comes without a body.
  ///
  /// It may reach the host twice: when a used connection breaks, it is sent once more.
  public FetchResult post(PostRequest request) {
    var started = System.nanoTime();
    var fetched = send(request, started);
    meters.ended(fetched, System.nanoTime() - started);
    return fetched;
  }

  private FetchResult send(PostRequest request, long started) {
    try (var deadline = deadlines.start();
        var share = budget.open(deadline);
        var loan = buffers.loan()) {
      var context =
          new HttpExchange.ExchangeContext(
              FetchRequest.anything(request.url()), deadline, share, loan);
      var content = exchange.send(request.url(), heads.of(request), context);
      return answer(request.url(), List.of(), content, started);
    } catch (FetchException failed) {
      return failure(request.url(), failed);
    }
  }

  private FetchResult follow(FetchRequest request, long started) {
    var url = request.url();
    var hops = new ArrayList<WebUrl>(0);
    try (var deadline = deadlines.start();
        var share = budget.open(deadline);
        var loan = buffers.loan()) {
      var context = new HttpExchange.ExchangeContext(request, deadline, share, loan);
      while (true) {
        switch (exchange.run(url, heads.of(url, request, hops.isEmpty()), context)) {
          case FetchReply.Content content -> {
            return answer(url, hops, content, started);
          }
          case FetchReply.Redirect(var location) -> {
            var next = next(url, hops, location);
            hops.add(url);
            url = next;
            check(request.hops(), next);
          }
        }
      }
    } catch (FetchException failed) {
      return failure(url, failed);
    }
  }

  private static FetchResult answer(
      WebUrl url, List<WebUrl> hops, FetchReply.Content content, long started) {
    return new FetchResult.Answer(
        url,
        List.copyOf(hops),
        content.status(),
        content.headers(),
        content.body(),
        content.isCut(),
        content.wireBytes(),
        Duration.ofNanos(System.nanoTime() - started));
  }

  private FetchResult failure(WebUrl url, FetchException failed) {
    var isBusy = failed.kind() == FetchFailure.BUSY;
    return new FetchResult.Failed(
        url, failed.kind(), failed.reason(), isBusy ? config.bufferWait() : null);
  }

  private WebUrl next(WebUrl url, List<WebUrl> hops, String location) throws FetchException {
    var next =
        url.resolve(HeaderText.utf8(location))
            .orElseThrow(() ->
                new FetchException(
                    FetchFailure.BAD_URL, "redirected to something that is not a web page"));
    var bare = next.withoutFragment();
    var isLoop =
        bare.equals(url.withoutFragment())
            || hops.stream().anyMatch(hop -> hop.withoutFragment().equals(bare));
    if (isLoop) throw new FetchException(FetchFailure.REDIRECT_LOOP, "redirected in a circle");
    if (hops.size() >= config.maxRedirects()) {
      throw new FetchException(
          FetchFailure.TOO_MANY_REDIRECTS,
          "redirected more than " + config.maxRedirects() + " times");
    }
    return next;
  }

  private static void check(RedirectCheck hops, WebUrl next) throws FetchException {
    var refusal = hops.refusal(next);
    if (refusal.isEmpty()) return;
    var kind = refusal.get().isTransient() ? FetchFailure.REFUSED_FOR_NOW : FetchFailure.REFUSED;
    throw new FetchException(kind, refusal.get().why());
  }

  /// Connections open now, in use and waiting.
  int openConnections() {
    return connections.open();
  }

  /// Hosts that something is remembered of.
  int knownHosts() {
    return connections.knownHosts();
  }

  /// How much of the buffers is free, in KiB.
  int freeBuffers() {
    return budget.freeUnits();
  }

  /// Ends all fetches.
  @Override
  public void close() {
    connections.close();
    deadlines.close();
    addresses.close();
    buffers.close();
  }
}
