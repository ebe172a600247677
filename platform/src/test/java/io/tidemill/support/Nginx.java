package io.tidemill.support;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/// Debian's nginx in front of a gateway, configured as docs/access.md says: HTTP/1.0 to upstream.
public final class Nginx implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/sbin/nginx");
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
          location /stripped/ {
            proxy_pass http://127.0.0.1:UPSTREAM/;
            proxy_set_header Host $http_host;
          }
          location / {
            proxy_pass http://127.0.0.1:UPSTREAM;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $scheme;
          }
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
    Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "nginx is not installed");
    var port = freePort();
    var config = folder.resolve("nginx.conf");
    Files.writeString(
        config,
        CONFIG
            .replace("FOLDER", folder.toString())
            .replace("OWN", String.valueOf(port))
            .replace("UPSTREAM", String.valueOf(upstream)));
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
