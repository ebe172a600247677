package io.tidemill.fetch.connection;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Finds the addresses of a host name.
@FunctionalInterface
public interface DnsResolver {
  /// All addresses of the name, the best first.
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /// The resolver of this machine.
  static DnsResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
