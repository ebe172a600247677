package io.tidemill.fetch;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.url.WebUrl;
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
  private final Deadlines deadlines;
  private final Budget budget;
  private final Scratches scratches = new Scratches();
  private final Connections connections;
  private final RequestHead heads;
  private final Exchange exchange;
  private final FetchMeters meters;

  /// @param allowNetworks networks to visit although they are not public, on any port
  public Fetcher(FetchConfig config, List<Cidr> allowNetworks, Names names, MeterRegistry metrics) {
    this("pages", config, allowNetworks, names, metrics, Dialer.sockets(), Fetcher::systemTls);
  }

  /// @param use tells this one from others in metrics
  public Fetcher(
      String use,
      FetchConfig config,
      List<Cidr> allowNetworks,
      Names names,
      MeterRegistry metrics) {
    this(use, config, allowNetworks, names, metrics, Dialer.sockets(), Fetcher::systemTls);
  }

  Fetcher(
      FetchConfig config,
      List<Cidr> allowNetworks,
      Names names,
      MeterRegistry metrics,
      Dialer dialer,
      Supplier<SSLSocketFactory> tls) {
    this("pages", config, allowNetworks, names, metrics, dialer, tls);
  }

  private Fetcher(
      String use,
      FetchConfig config,
      List<Cidr> allowNetworks,
      Names names,
      MeterRegistry metrics,
      Dialer dialer,
      Supplier<SSLSocketFactory> tls) {
    this.config = config;
    var guard = new AddressGuard(allowNetworks);
    addresses = new SafeAddresses(guard, config.portNumbers(), names);
    deadlines = new Deadlines(config.timeout());
    budget = new Budget(config.buffers().bytes(), config.bufferWait());
    connections =
        new Connections(
            config.maxConnections(), config.maxConnectionsPerHost(), config.keepAlive());
    deadlines.every(SWEEP, connections::sweep);
    heads = new RequestHead(config.agent());
    meters = new FetchMeters(metrics);
    Gauge.builder("fetch.connections.open", connections, Connections::open)
        .description("Connections to hosts, in use and waiting")
        .tag("use", use)
        .register(metrics);
    var connector = new Connector(config, addresses, dialer, tls);
    exchange = new Exchange(limits(config), connections, connector, meters);
  }

  private static Exchange.Limits limits(FetchConfig config) {
    return new Exchange.Limits(
        config.maxHead().bytes(),
        config.maxWire().bytes(),
        config.maxBody().bytes(),
        config.maxRatio());
  }

  private static SSLSocketFactory systemTls() {
    return (SSLSocketFactory) SSLSocketFactory.getDefault();
  }

  /// Fetches a URL, following redirects; waits at most `fetch.timeout`.
  public Fetched fetch(FetchRequest request) {
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
  public Fetched post(PostRequest request) {
    var started = System.nanoTime();
    var fetched = send(request, started);
    meters.ended(fetched, System.nanoTime() - started);
    return fetched;
  }

  private Fetched send(PostRequest request, long started) {
    try (var deadline = deadlines.start();
        var share = budget.open(deadline);
        var loan = scratches.loan()) {
      var means = new Exchange.Means(FetchRequest.anything(request.url()), deadline, share, loan);
      var content = exchange.send(request.url(), heads.of(request), means);
      return answer(request.url(), List.of(), content, started);
    } catch (FetchException failed) {
      return failure(request.url(), failed);
    }
  }

  private Fetched follow(FetchRequest request, long started) {
    var url = request.url();
    var hops = new ArrayList<WebUrl>(0);
    try (var deadline = deadlines.start();
        var share = budget.open(deadline);
        var loan = scratches.loan()) {
      var means = new Exchange.Means(request, deadline, share, loan);
      while (true) {
        switch (exchange.run(url, heads.of(url, request, hops.isEmpty()), means)) {
          case Reply.Content content -> {
            return answer(url, hops, content, started);
          }
          case Reply.Redirect(var location) -> {
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

  private static Fetched answer(
      WebUrl url, List<WebUrl> hops, Reply.Content content, long started) {
    return new Fetched.Answer(
        url,
        List.copyOf(hops),
        content.status(),
        content.headers(),
        content.body(),
        content.isCut(),
        content.wireBytes(),
        Duration.ofNanos(System.nanoTime() - started));
  }

  private Fetched failure(WebUrl url, FetchException failed) {
    var isBusy = failed.kind() == FetchFailure.BUSY;
    return new Fetched.Failed(
        url, failed.kind(), failed.reason(), isBusy ? config.bufferWait() : null);
  }

  private WebUrl next(WebUrl url, List<WebUrl> hops, String location) throws FetchException {
    var next =
        url.resolve(Text.utf8(location))
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

  private static void check(HopCheck hops, WebUrl next) throws FetchException {
    var refusal = hops.refusal(next);
    if (refusal.isPresent()) throw new FetchException(FetchFailure.REFUSED, refusal.get());
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
    scratches.close();
  }
}
