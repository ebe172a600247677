package io.tidemill.fetch;

import static io.tidemill.fetch.Fetching.answer;
import static io.tidemill.fetch.Fetching.failed;
import static io.tidemill.fetch.Fetching.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.content.url.Cidr;
import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.connection.AddressGuard;
import io.tidemill.fetch.connection.DnsResolver;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.support.TestSite;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// F47: whatever a URL, a redirect or a name server says, nothing connects to a forbidden address.
/// Connections to public addresses end up at a site on loopback; all are written down.
class ForbiddenTest {
  private static final InetAddress PUBLIC = InetAddress.ofLiteral("93.184.216.34");
  private static final InetAddress METADATA = InetAddress.ofLiteral("169.254.169.254");

  // A parser that reads URLs as browsers do has to take all rows that browsers take.
  private static final boolean IS_LIKE_A_BROWSER =
      WebUrl.parse("http://0x7f.1/").map(WebUrl::host).equals(Optional.of("127.0.0.1"));

  private final AddressGuard guard = new AddressGuard(List.of());
  private final TestSite site =
      TestSite.start().on("/*", (_, reply) -> reply.send(200, Map.of(), "x"));
  private final Queue<InetAddress> dialled = new ConcurrentLinkedQueue<>();
  private final List<Fetcher> fetchers = new ArrayList<>();

  @AfterEach
  void close() {
    fetchers.forEach(Fetcher::close);
    site.close();
    assertThat(dialled).allMatch(address -> guard.refusal(address).isEmpty());
  }

  private Fetcher fetcher(DnsResolver names, String... settings) {
    return fetcher(List.of(), names, settings);
  }

  private Fetcher fetcher(List<Cidr> allowed, DnsResolver names, String... settings) {
    var fetcher =
        new Fetcher(
            Fetching.config(settings),
            allowed,
            names,
            new SimpleMeterRegistry(),
            this::dial,
            () -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    fetchers.add(fetcher);
    return fetcher;
  }

  private Socket dial(InetAddress address, int port, int timeoutMillis) throws IOException {
    dialled.add(address);
    return new Socket(InetAddress.ofLiteral("127.0.0.1"), site.port());
  }

  private static FetchResult fetch(Fetcher fetcher, String url) {
    return fetcher.fetch(FetchRequest.page(url(url)));
  }

  private void assertForbidden(FetchResult fetched) {
    assertThat(failed(fetched).kind()).isEqualTo(FetchFailure.FORBIDDEN_ADDRESS);
    assertThat(failed(fetched).kind().isTransient()).isFalse();
  }

  @Test
  void visitsAPublicAddress() {
    var answer = answer(fetch(fetcher(_ -> List.of(PUBLIC)), "http://example.org/"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(dialled).containsExactly(PUBLIC);
  }

  @Test
  void refusesForbiddenLiterals() {
    var fetcher = fetcher(host -> List.of(InetAddress.getAllByName(host)));
    for (var host :
        List.of(
            "127.0.0.1",
            "10.0.0.1",
            "169.254.169.254",
            "0.0.0.0",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::7f00:1]",
            "[fd00::1]",
            "localhost")) {
      assertForbidden(fetch(fetcher, "http://" + host + "/"));
      assertForbidden(fetch(fetcher, "https://" + host + "/"));
    }
    assertThat(dialled).isEmpty();
  }

  @Test
  void refusesANameThatResolvesToAForbiddenAddress() {
    assertForbidden(fetch(fetcher(_ -> List.of(METADATA)), "http://nice.example/"));
    assertThat(dialled).isEmpty();
  }

  @Test
  void oneForbiddenAddressSpoilsTheName() {
    assertForbidden(fetch(fetcher(_ -> List.of(PUBLIC, METADATA)), "http://nice.example/"));
    assertForbidden(fetch(fetcher(_ -> List.of(METADATA, PUBLIC)), "http://nice.example/"));
    assertThat(dialled).isEmpty();
  }

  @Test
  void connectsToTheAddressThatWasCheckedWhateverTheNameServerSaysNext() {
    var asked = new AtomicInteger();
    var fetcher = fetcher(_ -> List.of(asked.getAndIncrement() % 2 == 0 ? PUBLIC : METADATA));

    answer(fetch(fetcher, "http://rebind.example/"));
    site.hangUp();
    assertForbidden(fetch(fetcher, "http://rebind.example/again"));

    assertThat(dialled).containsExactly(PUBLIC);
    assertThat(asked).hasValue(2);
  }

  @Test
  void refusesARedirectToAForbiddenAddress() {
    site.redirect("/literal", "http://169.254.169.254/latest/meta-data/");
    site.redirect("/name", "http://inside.example/");
    site.redirect("/port", "http://example.org:22/");
    var fetcher = fetcher(host -> List.of(host.equals("inside.example") ? METADATA : PUBLIC));

    for (var path : List.of("/literal", "/name", "/port")) {
      assertForbidden(fetch(fetcher, "http://example.org" + path));
    }
    assertThat(site.log()).hasSize(3);
  }

  @Test
  void refusesPortsThatAreNotOfTheWeb() {
    var fetcher = fetcher(_ -> List.of(PUBLIC), "ports=80,443,8080");

    assertForbidden(fetch(fetcher, "http://example.org:22/"));
    assertForbidden(fetch(fetcher, "http://example.org:6379/"));
    assertThat(answer(fetch(fetcher, "http://example.org:8080/")).status()).isEqualTo(200);
  }

  @Test
  void allowedNetworksOpenNothingElse() {
    var names = Map.of("mixed.example", List.of(InetAddress.ofLiteral("::1"), PUBLIC));
    var fetcher =
        fetcher(
            List.of(Cidr.parse("93.184.216.0/24")),
            host -> names.getOrDefault(host, List.of(METADATA)),
            "max-redirects=0");

    answer(fetch(fetcher, "http://mixed.example:9999/"));
    assertForbidden(fetch(fetcher, "http://other.example/"));
    assertForbidden(fetch(fetcher, "http://8.8.8.8:9999/"));
    assertThat(dialled).containsExactly(PUBLIC);
  }

  @Test
  void waitsNoLongerForANameThanForAFetch() throws InterruptedException {
    var never = new CountDownLatch(1);
    var fetcher =
        fetcher(
            _ -> {
              try {
                never.await();
              } catch (InterruptedException stopped) {
                throw new UnknownHostException(stopped.getMessage());
              }
              return List.of(PUBLIC);
            },
            "timeout=200ms");

    assertThat(failed(fetch(fetcher, "http://slow.example/")).kind()).isEqualTo(FetchFailure.DNS);
  }

  @Test
  void failsForANameWithoutAddressesAndABrokenResolver() {
    assertThat(failed(fetch(fetcher(_ -> List.of()), "http://empty.example/")).kind())
        .isEqualTo(FetchFailure.DNS);
    DnsResolver broken =
        _ -> {
          throw new IllegalStateException("broken");
        };
    assertThat(failed(fetch(fetcher(broken), "http://broken.example/")).kind())
        .isEqualTo(FetchFailure.DNS);
  }

  @Test
  void refusesUrlsThatNoParserWouldMake() {
    var fetcher = fetcher(_ -> List.of(PUBLIC));
    for (var url :
        List.of(
            new WebUrl("ftp", "example.org", -1, "/", null, null),
            new WebUrl("http", "example.org\r\nX: y", -1, "/", null, null),
            new WebUrl("http", "example.org", -1, "/ HTTP/1.1\r\nX: y", null, null),
            new WebUrl("http", "example.org", -1, "/", "a b", null),
            new WebUrl("http", "", -1, "/", null, null),
            new WebUrl("http", "example.org", 0, "/", null, null),
            new WebUrl("http", "example.org", 65_536, "/", null, null),
            new WebUrl("http", "example.org", -1, "*", null, null))) {
      assertThat(failed(fetcher.fetch(FetchRequest.page(url))).kind())
          .as(url.toString())
          .isEqualTo(FetchFailure.BAD_URL);
    }
    assertThat(dialled).isEmpty();
  }

  @Test
  void refusesUnusualWaysToWriteAnAddress() {
    var fetcher = fetcher(_ -> List.of(PUBLIC));
    for (var host :
        List.of(
            "0",
            "127.1",
            "2130706433",
            "0177.0.0.1",
            "0x7f.0.0.1",
            "0x7f000001",
            "127.0.0.1.",
            "1.2.3.256",
            "example.0x",
            "[::1%1]",
            "[::1%eth0]")) {
      var url = new WebUrl("http", host, -1, "/", null, null);
      assertThat(failed(fetcher.fetch(FetchRequest.page(url))).kind())
          .as(host)
          .isEqualTo(FetchFailure.BAD_URL);
    }
    assertThat(dialled).isEmpty();
  }

  @Test
  void everyUrlOfTheCorpusEndsAsItsClassSays() throws IOException {
    var wrong = new ArrayList<String>();
    var mapper = JsonMapper.shared();
    for (var line : Files.readAllLines(Corpora.find("hostile/ssrf-urls.jsonl"))) {
      var row = mapper.readTree(line);
      var url = row.path("url").stringValue();
      var complaint = complaint(WebUrl.parse(url), row.path("expect").stringValue());
      if (!complaint.isEmpty()) wrong.add(row.path("expect") + " " + url + ": " + complaint);
    }
    assertThat(wrong).isEmpty();
  }

  /// What is wrong with what happened, if anything.
  private String complaint(Optional<WebUrl> url, String expected) {
    var isWeb = !expected.equals("invalid-url") && !expected.equals("block-scheme");
    if (url.isEmpty()) return isWeb && IS_LIKE_A_BROWSER ? "not parsed" : "";
    // Once as if all names were of public hosts, once as if they led inside.
    var outside = fetchAs(url.get(), PUBLIC);
    var inside = fetchAs(url.get(), METADATA);
    return switch (expected) {
      // The class `public-ip` holds IPv4 addresses inside ::/96, which is not public space.
      case "block-ip", "public-ip", "invalid-url" ->
          isRefused(outside) && isRefused(inside) ? "" : "not refused: " + outside;
      case "needs-dns" -> {
        if (!isRefused(inside)) yield "followed its name inside: " + inside;
        var isOpen = url.get().origin().equals("http://" + url.get().host());
        yield !isOpen || outside instanceof FetchResult.Answer ? "" : "not fetched: " + outside;
      }
      default -> "fetched";
    };
  }

  private FetchResult fetchAs(WebUrl url, InetAddress address) {
    try (var fetcher = fetcher(_ -> List.of(address))) {
      return fetcher.fetch(FetchRequest.page(url));
    }
  }

  private static boolean isRefused(FetchResult fetched) {
    return fetched instanceof FetchResult.Failed failed
        && (failed.kind() == FetchFailure.FORBIDDEN_ADDRESS
            || failed.kind() == FetchFailure.BAD_URL);
  }
}
