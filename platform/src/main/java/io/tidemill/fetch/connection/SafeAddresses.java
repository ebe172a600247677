package io.tidemill.fetch.connection;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The addresses of a host, resolved once and every one of them checked (F47). Only they are
/// connected to: who resolves again can be told something else.
public final class SafeAddresses implements AutoCloseable {
  private static final int LOOKUPS = 32;
  private static final Pattern ENDS_IN_NUMBER =
      Pattern.compile("(.*\\.)?(\\d+|0x[0-9a-f]*)\\.?", Pattern.CASE_INSENSITIVE);
  private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

  private final AddressGuard guard;
  private final Set<Integer> ports;
  private final DnsResolver names;
  // The system's resolver holds on to its thread while it waits: two dead name servers must not
  // take both carriers of the virtual threads.
  private final ThreadPoolExecutor lookups;

  public SafeAddresses(AddressGuard guard, Set<Integer> ports, DnsResolver names) {
    this.guard = guard;
    this.ports = ports;
    this.names = names;
    var factory = Thread.ofPlatform().daemon().name("fetch-dns-", 0).factory();
    lookups =
        new ThreadPoolExecutor(
            LOOKUPS, LOOKUPS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    lookups.allowCoreThreadTimeOut(true);
  }

  /// Addresses to connect to, the best first; never empty.
  public List<InetAddress> of(ConnectionRoute route, FetchDeadline deadline) throws FetchException {
    if (!ports.contains(route.port()) && !guard.allowsAny()) throw forbidden(port(route.port()));
    var literal = literal(route.bareHost());
    var all = literal == null ? lookup(route.host(), deadline) : List.of(literal);
    if (all.isEmpty()) throw unknown();
    return checked(all, route.port());
  }

  // One bad address spoils the name: a host that answers with a public and a private one is up to
  // something. Where the operator allowed a network, the others are left out instead, so that
  // `localhost` works for who allowed 127.0.0.0/8.
  private List<InetAddress> checked(List<InetAddress> all, int port) throws FetchException {
    var good = new ArrayList<InetAddress>(all.size());
    var isAllowed = false;
    Optional<String> refusal = Optional.empty();
    for (var address : all) {
      var why = refusal(address, port);
      if (why.isPresent()) refusal = why;
      else good.add(address);
      isAllowed |= guard.allows(address);
    }
    if (refusal.isPresent() && !isAllowed) throw forbidden(refusal.get());
    return good;
  }

  private Optional<String> refusal(InetAddress address, int port) {
    if (guard.allows(address)) return Optional.empty();
    var why = guard.refusal(address).map(reason -> "the host's address is " + reason);
    return why.isEmpty() && !ports.contains(port) ? Optional.of(port(port)) : why;
  }

  private static String port(int port) {
    return "port " + port + " is not one that we connect to";
  }

  private static FetchException forbidden(String why) {
    return new FetchException(FetchFailure.FORBIDDEN_ADDRESS, why);
  }

  // A host that ends in a number is an address, never a name. The ways to write one that are not
  // the usual way (octal, hex, one big number) are read differently by different programs.
  private static @Nullable InetAddress literal(String host) throws FetchException {
    var isIpv6 = host.contains(":");
    if (!isIpv6 && !ENDS_IN_NUMBER.matcher(host).matches()) return null;
    try {
      var isUsual = isIpv6 ? !host.contains("%") : IPV4.matcher(host).matches();
      if (isUsual) return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException _) {
      // Said below.
    }
    throw new FetchException(FetchFailure.BAD_URL, "the host is not an address");
  }

  private List<InetAddress> lookup(String host, FetchDeadline deadline) throws FetchException {
    var lookup = new FutureTask<>(() -> names.resolve(host));
    try {
      lookups.execute(lookup);
      return lookup.get(deadline.leftNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      lookups.remove(lookup);
      throw new FetchException(FetchFailure.DNS, "the host's name was not resolved in time");
    } catch (InterruptedException _) {
      lookups.remove(lookup);
      throw Interruption.again();
    } catch (RejectedExecutionException | CancellationException _) {
      throw Interruption.asFailure(); // closed
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof UnknownHostException) throw unknown();
      throw new FetchException(FetchFailure.DNS, "the host's name could not be resolved");
    }
  }

  private static FetchException unknown() {
    return new FetchException(FetchFailure.DNS, "the host's name is not known");
  }

  @Override
  public void close() {
    for (var waiting : lookups.shutdownNow()) {
      if (waiting instanceof FutureTask<?> lookup) lookup.cancel(false);
    }
  }
}
