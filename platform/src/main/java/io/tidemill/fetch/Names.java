package io.tidemill.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Finds the addresses of a host name.
@FunctionalInterface
public interface Names {
  /// All addresses of the name, the best first.
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /// The resolver of this machine.
  static Names system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
