package io.tidemill.http;

import java.util.Locale;
import java.util.regex.Pattern;

/// Host names of this machine, decided without DNS.
public final class Loopback {
  private static final Pattern IPV4 = Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");

  private Loopback() {}

  public static boolean isName(String host) {
    var name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.equals("::1")
        || name.equals("0:0:0:0:0:0:0:1")
        || IPV4.matcher(name).matches();
  }
}
