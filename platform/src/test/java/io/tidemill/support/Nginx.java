package io.tidemill.support;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/// Debian's nginx in front of a gateway, configured with the very text of docs/access.md.
public final class Nginx implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/sbin/nginx");
  private static final Path DOCS = Path.of("..", "docs", "access.md");
  private static final Pattern BLOCK = Pattern.compile("```nginx\n(.*?)```", Pattern.DOTALL);
  private static final Pattern REMOVING = Pattern.compile("`(proxy_pass [^`]+;)`");
  private static final String GATEWAY = "127.0.0.1:8080";
  private static final String CONFIG =
"""
      daemon off;
      pid FOLDER/nginx.pid;
      error_log FOLDER/error.log;
      events {}
      http {
        access_log off;
        client_body_temp_path FOLDER/body;
        proxy_temp_path FOLDER/proxy;
        fastcgi_temp_path FOLDER/fastcgi;
        uwsgi_temp_path FOLDER/uwsgi;
        scgi_temp_path FOLDER/scgi;
        server {
          listen 127.0.0.1:OWN;
LOCATION
        }
      }
""";

  private final Process process;
  private final int port;

  private Nginx(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /// Starts one; the test is skipped where nginx is not installed.
  public static Nginx before(int upstream, Path folder) throws IOException {
    return start(location(0), upstream, folder);
  }

  /// The same with the gateway below `/tidemill`, which nginx passes on.
  public static Nginx underPath(int upstream, Path folder) throws IOException {
    return start(location(1), upstream, folder);
  }

  /// The same with the path removed by nginx.
  public static Nginx removingPath(int upstream, Path folder) throws IOException {
    var line = REMOVING.matcher(Files.readString(DOCS)).results().findFirst().orElseThrow();
    var location = location(1).replaceFirst("proxy_pass [^;]+;", line.group(1));
    return start(location, upstream, folder);
  }

  private static String location(int number) throws IOException {
    var blocks = BLOCK.matcher(Files.readString(DOCS)).results().toList();
    return blocks.get(number).group(1);
  }

  private static Nginx start(String location, int upstream, Path folder) throws IOException {
    Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "nginx is not installed");
    var port = freePort();
    var config = folder.resolve("nginx.conf");
    Files.writeString(
        config,
        CONFIG
            .replace("LOCATION", location)
            .replace(GATEWAY, "127.0.0.1:" + upstream)
            .replace("FOLDER", folder.toString())
            .replace("OWN", String.valueOf(port)));
    var process =
        new ProcessBuilder(PROGRAM.toString(), "-c", config.toString(), "-p", folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output.log").toFile())
            .start();
    var nginx = new Nginx(process, port);
    await().until(nginx::isListening);
    return nginx;
  }

  private static int freePort() throws IOException {
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private boolean isListening() {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
