package io.tidemill.fetch;

import static io.tidemill.fetch.Fetching.answer;
import static io.tidemill.fetch.Fetching.failed;
import static io.tidemill.fetch.Fetching.url;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.fetch.connection.DnsResolver;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.support.TestSite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FetcherIT {
  private final TestSite site = TestSite.start();
  private final Fetcher fetcher = Fetching.fetcher("timeout=10s");

  @AfterEach
  void close() {
    fetcher.close();
    site.close();
  }

  private FetchResult fetch(String path) {
    return fetcher.fetch(FetchRequest.page(url(site.url(path))));
  }

  @Test
  void bringsAPage() {
    site.page("/a?b=c", "<p>hällo");

    var answer = answer(fetch("/a?b=c"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(new String(answer.body(), UTF_8)).isEqualTo("<p>hällo");
    assertThat(answer.url()).isEqualTo(url(site.url("/a?b=c")));
    assertThat(answer.hops()).isEmpty();
    assertThat(answer.headers().first("content-TYPE")).contains("text/html; charset=utf-8");
    assertThat(answer.truncated()).isFalse();
    assertThat(answer.wireBytes()).isEqualTo(answer.body().length);
  }

  @Test
  void saysWhoItIsAndNothingElse() { // F48: exactly the encodings that we undo
    site.page("/", "");
    site.answer("/set", 200, Map.of("Set-Cookie", "a=b"), new byte[0]);
    fetch("/set");

    fetch("/");

    assertThat(site.log("/").getFirst().headers())
        .containsOnly(
            Map.entry("Host", "127.0.0.1:" + site.port()),
            Map.entry("User-Agent", "Tidemill/0.1 (+https://tidemill.invalid/bot)"),
            Map.entry("Accept-Encoding", "gzip, br, zstd"),
            Map.entry("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"));
  }

  @Test
  void usesOneConnectionForManyPages() {
    site.page("/", "x".repeat(20_000));
    site.redirect("/there", "/");
    site.on("/chunked", (_, reply) -> chunked(reply, "a", "b"));

    for (int i = 0; i < 10; i++) {
      answer(fetch("/"));
      answer(fetch("/there"));
      answer(fetch("/chunked"));
      answer(fetch("/none"));
    }

    assertThat(site.connects()).isEqualTo(1);
  }

  @Test
  void asksAgainWhenTheHostHungUpInBetween() {
    site.page("/", "here");
    fetch("/");
    site.hangUp();

    assertThat(answer(fetch("/")).status()).isEqualTo(200);
    assertThat(site.connects()).isEqualTo(2);
  }

  @Test
  void asksOnceOnlyWhenTheHostHangsUpOnTheRequest() {
    site.on("/", (_, reply) -> reply.close());

    assertThat(failed(fetch("/")).kind()).isEqualTo(FetchFailure.PROTOCOL);
    assertThat(site.log()).hasSize(1);
  }

  @Test
  void forgetsHostsAndConnectionsThatNobodyUses() {
    site.page("/", "here");
    try (var forgetful = Fetching.fetcher("keep-alive=500ms", "timeout=10s")) {
      answer(forgetful.fetch(FetchRequest.page(url(site.url("/")))));
      assertThat(forgetful.knownHosts()).isEqualTo(1);

      Awaitility.await()
          .until(() -> forgetful.openConnections() == 0 && forgetful.knownHosts() == 0);
    }
  }

  @Test
  void unpacksEveryEncodingItOffers() {
    var text = "all the same ".repeat(5_000);
    for (var encoding : new String[] {"gzip", "br", "zstd", "deflate"}) {
      var packed = Packing.pack(encoding, text.getBytes(UTF_8));
      site.answer("/" + encoding, 200, Map.of("Content-Encoding", encoding), packed);

      var answer = answer(fetch("/" + encoding));

      assertThat(new String(answer.body(), UTF_8)).as(encoding).isEqualTo(text);
      assertThat(answer.wireBytes()).isEqualTo(packed.length);
    }
    assertThat(site.connects()).isEqualTo(1);
  }

  @Test
  void unpacksWhatHostsMakeOfTheStandard() {
    var text = "some text".getBytes(UTF_8);
    site.answer(
        "/raw", 200, Map.of("Content-Encoding", "deflate"), Packing.pack("raw-deflate", text));
    site.answer("/x", 200, Map.of("Content-Encoding", "X-GZIP"), Packing.pack("gzip", text));
    site.answer("/plain", 200, Map.of("Content-Encoding", "identity"), text);
    site.answer(
        "/twice",
        200,
        Map.of("Content-Encoding", "br, gzip"),
        Packing.pack("gzip", Packing.pack("br", text)));

    for (var path : new String[] {"/raw", "/x", "/plain", "/twice"}) {
      assertThat(answer(fetch(path)).body()).as(path).isEqualTo(text);
    }
  }

  @Test
  void unpacksAllMembersOfAGzipBodyAndSkipsPadding() {
    var body = new ByteArrayOutputStream();
    body.writeBytes(Packing.pack("gzip", "one ".getBytes(UTF_8)));
    body.writeBytes(Packing.pack("gzip", new byte[0]));
    body.writeBytes(Packing.pack("gzip", "two".repeat(100_000).getBytes(UTF_8)));
    body.writeBytes(new byte[100]);
    site.answer("/", 200, Map.of("Content-Encoding", "gzip"), body.toByteArray());

    assertThat(new String(answer(fetch("/")).body(), UTF_8))
        .isEqualTo("one " + "two".repeat(100_000));
  }

  @Test
  void takesAnEmptyBodyWhateverItsEncoding() {
    site.answer("/", 404, Map.of("Content-Encoding", "gzip"), new byte[0]);

    assertThat(answer(fetch("/")).body()).isEmpty();
  }

  @Test
  void readsBodiesHoweverTheyEnd() {
    site.on("/chunked", (_, reply) -> chunked(reply, "a", "b", "c"));
    site.on(
        "/close",
        (_, reply) -> {
          reply.raw("HTTP/1.0 200 OK\r\n\r\nuntil the end");
          reply.close();
        });
    site.answer("/nothing", 204, Map.of(), new byte[0]);

    assertThat(answer(fetch("/chunked")).body()).asString(UTF_8).isEqualTo("abc");
    assertThat(answer(fetch("/close")).body()).asString(UTF_8).isEqualTo("until the end");
    assertThat(answer(fetch("/nothing")).body()).isEmpty();
  }

  private static void chunked(TestSite.Reply reply, String... parts) throws java.io.IOException {
    reply.head(200, Map.of("Transfer-Encoding", "chunked"));
    for (var part : parts) reply.chunk(part.getBytes(UTF_8));
    reply.chunk(new byte[0]);
  }

  @Test
  void waitsForTheAnswerBehindInterimOnes() {
    site.on(
        "/",
        (_, reply) -> {
          reply.head(103, Map.of("Link", "</a.css>"));
          reply.head(100, Map.of());
          reply.send(200, Map.of(), "here");
        });

    assertThat(answer(fetch("/")).body()).asString(UTF_8).isEqualTo("here");
  }

  @Test
  void asksOnlyForWhatChanged() {
    site.on(
        "/",
        (request, reply) -> {
          var isKnown = "\"v1\"".equals(request.header("If-None-Match"));
          reply.send(isKnown ? 304 : 200, Map.of("ETag", "\"v1\""), isKnown ? "" : "x");
        });
    site.redirect("/moved", "/");
    var request = FetchRequest.page(url(site.url("/"))).unlessStill("\"v1\"", "yesterday");
    var moved = FetchRequest.page(url(site.url("/moved"))).unlessStill("\"v1\"", null);

    assertThat(answer(fetcher.fetch(request)).status()).isEqualTo(304);
    assertThat(site.log("/").getFirst().header("If-Modified-Since")).isEqualTo("yesterday");
    assertThat(answer(fetcher.fetch(moved)).status())
        .as("the version is of the first URL, not of the one behind the redirect")
        .isEqualTo(200);
  }

  @Test
  void neverSendsAVersionThatBreaksOutOfItsLine() {
    site.page("/", "");
    var evil = "x\"\r\nX-Injected: yes";

    fetcher.fetch(FetchRequest.page(url(site.url("/"))).unlessStill(evil, evil).accepting(evil));

    assertThat(site.log().getFirst().headers())
        .doesNotContainKeys("X-Injected", "If-None-Match", "If-Modified-Since", "Accept");
  }

  @Test
  void followsRedirectsOfAllKinds() {
    for (var status : new int[] {301, 302, 303, 307, 308}) {
      site.answer("/" + status, status, Map.of("Location", "/target#part"), new byte[3]);
    }
    site.page("/target", "here");

    for (var status : new int[] {301, 302, 303, 307, 308}) {
      var answer = answer(fetch("/" + status));

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.url().path()).isEqualTo("/target");
      assertThat(answer.hops()).containsExactly(url(site.url("/" + status)));
    }
  }

  @Test
  void returnsARedirectThatLeadsNowhereAsItIs() {
    site.answer("/", 302, Map.of(), "no location".getBytes(UTF_8));
    site.answer("/choice", 300, Map.of("Location", "/"), new byte[0]);

    assertThat(answer(fetch("/")).status()).isEqualTo(302);
    assertThat(answer(fetch("/choice")).status()).isEqualTo(300);
  }

  @Test
  void refusesRedirectsOutOfTheWeb() {
    site.redirect("/file", "file:///etc/passwd");
    site.redirect("/gopher", "gopher://127.0.0.1:6379/_x");
    site.redirect("/script", "javascript:alert(1)");

    for (var path : new String[] {"/file", "/gopher", "/script"}) {
      assertThat(failed(fetch(path)).kind()).isEqualTo(FetchFailure.BAD_URL);
    }
  }

  @Test
  void stopsInACircle() {
    site.redirect("/a", "/b").redirect("/b", "/a#again").redirect("/self", "/self");

    assertThat(failed(fetch("/a")).kind()).isEqualTo(FetchFailure.REDIRECT_LOOP);
    assertThat(failed(fetch("/self")).kind()).isEqualTo(FetchFailure.REDIRECT_LOOP);
    assertThat(site.log()).hasSize(3);
  }

  @Test
  void stopsOnAnEndlessTrailAfterFiveRedirects() {
    site.on(
        "/trail/*",
        (request, reply) -> {
          var step = Integer.parseInt(request.path().substring("/trail/".length()));
          reply.send(302, Map.of("Location", "/trail/" + (step + 1)), new byte[0]);
        });

    var failed = failed(fetch("/trail/0"));

    assertThat(failed.kind()).isEqualTo(FetchFailure.TOO_MANY_REDIRECTS);
    assertThat(failed.kind().isTransient()).isFalse();
    assertThat(site.log()).hasSize(6);
  }

  @Test
  void asksBeforeEachHop() {
    site.redirect("/a", "/b").redirect("/b", "/secret").page("/secret", "x");
    var asked = new AtomicReference<>("");
    RedirectCheck check =
        next -> {
          asked.updateAndGet(all -> all + next.path());
          return next.path().equals("/secret")
              ? Optional.of(new RedirectCheck.Refusal("robots.txt says no", false))
              : Optional.empty();
        };

    var failed = failed(fetcher.fetch(FetchRequest.page(url(site.url("/a"))).within(check)));

    assertThat(failed.kind()).isEqualTo(FetchFailure.REFUSED);
    assertThat(failed.reason()).isEqualTo("robots.txt says no");
    assertThat(failed.url().path()).isEqualTo("/secret");
    assertThat(asked.get()).isEqualTo("/b/secret");
    assertThat(site.log("/secret")).isEmpty();
  }

  @Test
  void tellsHowLongToStayAway() {
    site.answer("/", 503, Map.of("Retry-After", "120"), new byte[0]);

    assertThat(answer(fetch("/")).retryAfter(() -> Instant.EPOCH)).contains(Duration.ofMinutes(2));
  }

  @Test
  void failsWhereNobodyListens() throws IOException {
    try (var deaf = new Socket()) {
      // Bound, so that nobody else gets the port meanwhile, and not listening.
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

      var gone = "http://127.0.0.1:" + deaf.getLocalPort() + "/";
      var failed = failed(fetcher.fetch(FetchRequest.page(url(gone))));

      assertThat(failed.kind()).isEqualTo(FetchFailure.CONNECT);
      assertThat(failed.kind().isTransient()).isTrue();
    }
  }

  @Test
  void failsForANameThatNobodyKnows() {
    var failed = failed(fetcher.fetch(FetchRequest.page(url("http://nobody.invalid/"))));

    assertThat(failed.kind()).isEqualTo(FetchFailure.DNS);
  }

  @Test
  void failsForHttpsWhereThereIsNone() {
    site.page("/", "");
    var https = url(site.url("/").replace("http:", "https:"));

    assertThat(failed(fetcher.fetch(FetchRequest.page(https))).kind()).isEqualTo(FetchFailure.TLS);
  }

  @Test
  void stopsWhenInterruptedAndLeavesTheMark() throws InterruptedException {
    site.on("/", (_, reply) -> reply.head(200, Map.of("Content-Length", "5")));
    var result = new AtomicReference<FetchResult>();
    var isMarked = new AtomicReference<Boolean>();
    var thread =
        Thread.ofVirtual()
            .start(() -> {
              result.set(fetch("/"));
              isMarked.set(Thread.currentThread().isInterrupted());
            });
    Awaitility.await().until(() -> site.log().size() == 1);

    thread.interrupt();

    assertThat(thread.join(Duration.ofSeconds(5))).isTrue();
    assertThat(failed(result.get()).kind()).isEqualTo(FetchFailure.INTERRUPTED);
    assertThat(isMarked.get()).isTrue();
  }

  @Test
  void endsWhatIsUnderWayWhenClosed() throws InterruptedException {
    site.on("/", (_, reply) -> reply.head(200, Map.of("Content-Length", "5")));
    var result = new AtomicReference<FetchResult>();
    var thread = Thread.ofVirtual().start(() -> result.set(fetch("/")));
    Awaitility.await().until(() -> site.log().size() == 1);

    fetcher.close();

    assertThat(thread.join(Duration.ofSeconds(5))).isTrue();
    assertThat(failed(result.get()).kind()).isEqualTo(FetchFailure.INTERRUPTED);
    assertThat(failed(fetch("/")).kind()).isEqualTo(FetchFailure.INTERRUPTED);
  }

  @Test
  void countsHowFetchesEnd() {
    var metrics = new SimpleMeterRegistry();
    site.answer("/", 200, Map.of("Content-Encoding", "gzip"), Packing.pack("gzip", new byte[5000]));
    var counted = new Fetcher(Fetching.config(), Fetching.LOOPBACK, DnsResolver.system(), metrics);

    try (counted) {
      counted.fetch(FetchRequest.page(url(site.url("/"))));
      counted.fetch(FetchRequest.page(url(site.url("/none"))));
      counted.fetch(FetchRequest.page(url("http://10.0.0.1/")));
    }

    for (var outcome : new String[] {"2xx", "4xx", "forbidden_address"}) {
      assertThat(metrics.get("fetch.fetches").tag("outcome", outcome).counter().count())
          .as(outcome)
          .isEqualTo(1);
    }
    assertThat(metrics.get("fetch.bytes").tag("form", "decoded").counter().count())
        .isEqualTo(5000 + "not here".length());
    assertThat(metrics.get("fetch.duration").timer().count()).isEqualTo(3);
  }
}
