package io.tidemill.fetch;

import static io.tidemill.fetch.Fetching.answer;
import static io.tidemill.fetch.Fetching.failed;
import static io.tidemill.fetch.Fetching.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.fetch.connection.Dialer;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.support.TestSite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A host that speaks TLS as `good.example`, with a certificate that only this test trusts.
class FetchTlsIT {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final char[] PASSWORD = "password".toCharArray();

  @TempDir static Path folder;
  private static SSLContext context;
  private static TestSite site;

  @BeforeAll
  static void start() throws Exception {
    context = context(keys());
    site = TestSite.start(context.getServerSocketFactory().createServerSocket(0, 10, LOOPBACK));
    site.page("/", "secret");
  }

  @AfterAll
  static void stop() {
    site.close();
  }

  private static KeyStore keys() throws Exception {
    var file = folder.resolve("keys.p12");
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var made =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "site",
                "-keyalg",
                "EC",
                "-dname",
                "CN=good.example",
                "-ext",
                "SAN=dns:good.example",
                "-storetype",
                "PKCS12",
                "-storepass",
                "password",
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start()
            .waitFor();
    assertThat(made).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
    var own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD);
    var trusted = KeyStore.getInstance("PKCS12");
    try {
      trusted.load(null, null);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    trusted.setCertificateEntry("site", keys.getCertificate("site"));
    var trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    var made = SSLContext.getInstance("TLS");
    made.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return made;
  }

  private static Fetcher fetcher(SSLSocketFactory tls, String... settings) {
    return new Fetcher(
        Fetching.config(settings),
        Fetching.LOOPBACK,
        _ -> List.of(LOOPBACK),
        new SimpleMeterRegistry(),
        Dialer.sockets(),
        () -> tls);
  }

  private static FetchResult fetch(Fetcher fetcher, String host) {
    return fetcher.fetch(FetchRequest.page(url("https://" + host + ":" + site.port() + "/")));
  }

  @Test
  void fetchesOverATrustedConnectionAndKeepsIt() {
    var before = site.connects();
    try (var fetcher = fetcher(context.getSocketFactory())) {
      for (int i = 0; i < 5; i++) {
        assertThat(answer(fetch(fetcher, "good.example")).body()).asString().isEqualTo("secret");
      }
      assertThat(site.connects() - before).isEqualTo(1);
      assertThat(answer(fetch(fetcher, "good.example.")).status()).isEqualTo(200);
    }
  }

  @Test
  void refusesACertificateForAnotherName() {
    try (var fetcher = fetcher(context.getSocketFactory())) {
      for (var host : List.of("bad.example", "127.0.0.1")) {
        assertThat(failed(fetch(fetcher, host)).kind()).as(host).isEqualTo(FetchFailure.TLS);
      }
      assertThat(site.log())
          .allMatch(access -> String.valueOf(access.header("Host")).startsWith("good.example"));
    }
  }

  @Test
  void refusesACertificateThatNobodyVouchesFor() {
    try (var fetcher = fetcher((SSLSocketFactory) SSLSocketFactory.getDefault())) {
      var failed = failed(fetch(fetcher, "good.example"));

      assertThat(failed.kind()).isEqualTo(FetchFailure.TLS);
      assertThat(failed.kind().isTransient()).isFalse();
    }
  }

  @Test
  void waitsNoLongerForAHandshakeThanForAFetch() throws IOException {
    try (var silent = new ServerSocket(0, 10, LOOPBACK);
        var fetcher = fetcher(context.getSocketFactory(), "timeout=300ms")) {
      var page = url("https://good.example:" + silent.getLocalPort() + "/");

      assertThat(failed(fetcher.fetch(FetchRequest.page(page))).kind())
          .isEqualTo(FetchFailure.TIMEOUT);
    }
  }
}
