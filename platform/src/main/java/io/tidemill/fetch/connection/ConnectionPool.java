package io.tidemill.fetch.connection;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The connections of one fetcher: bounded in all and for each host, and kept for a while after
/// use. A host that nobody talks to leaves nothing behind, however many there were.
public final class ConnectionPool implements AutoCloseable {
  private final int most;
  private final int mostPerHost;
  private final long keepNanos;
  private final Semaphore slots;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ConnectionRoute, Host> hosts = new HashMap<>();
  // The one that waits longest comes first.
  private final LinkedHashMap<MeteredConnection, Host> idle = new LinkedHashMap<>();
  private final Set<MeteredConnection> inUse = new HashSet<>();
  private boolean isClosed;

  public ConnectionPool(int most, int mostPerHost, Duration keepAlive) {
    this.most = most;
    this.mostPerHost = mostPerHost;
    keepNanos = keepAlive.toNanos();
    slots = new Semaphore(most);
  }

  /// A place for one connection, waiting for it while the deadline lasts.
  public Lease lease(ConnectionRoute route, FetchDeadline deadline) throws FetchException {
    var host = enter(route);
    var lease = new Lease(host);
    try {
      // First the host's own slot: those who wait for a slow host must not keep others out.
      lease.holdsHost = acquire(host.slots, deadline);
      lease.holdsSlot = lease.holdsHost && acquire(slots, deadline);
    } finally {
      if (!lease.holdsSlot) lease.close();
    }
    if (lease.holdsSlot) return lease;
    deadline.check();
    throw new FetchException(FetchFailure.BUSY, "no connection became free in time");
  }

  private static boolean acquire(Semaphore semaphore, FetchDeadline deadline)
      throws FetchException {
    try {
      return semaphore.tryAcquire()
          || semaphore.tryAcquire(deadline.leftNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      throw Interruption.again();
    }
  }

  private Host enter(ConnectionRoute route) throws FetchException {
    lock.lock();
    try {
      if (isClosed) throw new FetchException(FetchFailure.INTERRUPTED, "the fetcher is closed");
      var host = hosts.computeIfAbsent(route, key -> new Host(key, mostPerHost));
      host.users++;
      return host;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Host host) {
    lock.lock();
    try {
      host.users--;
      forgetIfUnused(host);
    } finally {
      lock.unlock();
    }
  }

  private void forgetIfUnused(Host host) {
    if (host.users == 0 && host.idle.isEmpty()) hosts.remove(host.route);
  }

  private @Nullable MeteredConnection takeIdle(Host host) {
    lock.lock();
    try {
      // The one used last is the one most likely still open.
      var wire = host.idle.pollLast();
      if (wire == null) return null;
      idle.remove(wire);
      inUse.add(wire);
      return wire;
    } finally {
      lock.unlock();
    }
  }

  private void register(MeteredConnection wire) {
    var surplus = new ArrayList<MeteredConnection>(0);
    lock.lock();
    try {
      if (isClosed) surplus.add(wire);
      else inUse.add(wire);
      while (inUse.size() + idle.size() > most && !idle.isEmpty()) surplus.add(dropOldest());
    } finally {
      lock.unlock();
    }
    surplus.forEach(MeteredConnection::abort);
  }

  private MeteredConnection dropOldest() {
    var oldest = idle.pollFirstEntry();
    var host = oldest.getValue();
    host.idle.remove(oldest.getKey());
    forgetIfUnused(host);
    return oldest.getKey();
  }

  private boolean putBack(Host host, MeteredConnection wire) {
    lock.lock();
    try {
      inUse.remove(wire);
      if (isClosed) return false;
      wire.idleSince(System.nanoTime());
      host.idle.addLast(wire);
      idle.put(wire, host);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void discard(MeteredConnection wire) {
    lock.lock();
    try {
      inUse.remove(wire);
    } finally {
      lock.unlock();
    }
    wire.abort();
  }

  /// Closes connections that nobody used for a while.
  public void sweep() {
    var old = new ArrayList<MeteredConnection>();
    lock.lock();
    try {
      var now = System.nanoTime();
      while (!idle.isEmpty() && now - idle.firstEntry().getKey().idleSince() > keepNanos) {
        old.add(dropOldest());
      }
    } finally {
      lock.unlock();
    }
    old.forEach(MeteredConnection::abort);
  }

  public boolean isClosed() {
    lock.lock();
    try {
      return isClosed;
    } finally {
      lock.unlock();
    }
  }

  public int open() {
    lock.lock();
    try {
      return inUse.size() + idle.size();
    } finally {
      lock.unlock();
    }
  }

  public int knownHosts() {
    lock.lock();
    try {
      return hosts.size();
    } finally {
      lock.unlock();
    }
  }

  /// Ends all connections, and with them the fetches that use them.
  @Override
  public void close() {
    List<MeteredConnection> all;
    lock.lock();
    try {
      isClosed = true;
      all = new ArrayList<>(inUse);
      while (!idle.isEmpty()) all.add(dropOldest());
    } finally {
      lock.unlock();
    }
    all.forEach(MeteredConnection::abort);
  }

  private static final class Host {
    private final ConnectionRoute route;
    private final Semaphore slots;
    private final ArrayDeque<MeteredConnection> idle = new ArrayDeque<>(2);
    private int users;

    Host(ConnectionRoute route, int most) {
      this.route = route;
      slots = new Semaphore(most);
    }
  }

  /// The right to one connection to one host; a connection that is not kept is closed with it.
  public final class Lease implements AutoCloseable {
    private final Host host;
    private @Nullable MeteredConnection wire;
    private boolean holdsHost;
    private boolean holdsSlot;

    private Lease(Host host) {
      this.host = host;
    }

    /// A connection that was used before, if there is one.
    @Nullable
    public MeteredConnection reuse() {
      wire = takeIdle(host);
      return wire;
    }

    /// Uses a new connection instead of the one before.
    public void use(MeteredConnection fresh) {
      drop();
      wire = fresh;
      register(fresh);
    }

    /// Keeps the connection for the next who comes.
    public void keep() {
      if (wire != null && putBack(host, wire)) wire = null;
    }

    public void drop() {
      if (wire != null) discard(wire);
      wire = null;
    }

    @Override
    public void close() {
      drop();
      if (holdsSlot) slots.release();
      if (holdsHost) host.slots.release();
      leave(host);
    }
  }
}
