package io.tidemill.fetch;

import static io.tidemill.fetch.Fetching.answer;
import static io.tidemill.fetch.Fetching.failed;
import static io.tidemill.fetch.Fetching.url;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.support.TestSite;
import io.tidemill.testing.Corpora;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What hosts do to crawlers, and how little it costs us (F48).
class FetchLimitsIT {
  private static final List<String> CODECS = List.of("gzip", "br", "zstd");

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

  private TestSite packed(String path, String encoding, byte[] body) {
    return site.answer(path, 200, Map.of("Content-Encoding", encoding), body);
  }

  @Test
  void stopsAtABombOfEveryCodec() {
    for (var codec : CODECS) {
      packed("/" + codec, codec, Packing.zeros(codec, 64));
      var started = System.nanoTime();

      var failed = failed(fetch("/" + codec));

      assertThat(failed.kind()).as(codec).isIn(FetchFailure.BOMB, FetchFailure.TOO_LARGE);
      assertThat(failed.kind().isTransient()).isFalse();
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(3));
    }
  }

  @Test
  void stopsAtABombInsideABomb() {
    for (var inner : CODECS) {
      var bomb = Packing.zeros(inner, 32);
      for (var outer : CODECS) {
        var path = "/" + inner + outer;
        packed(path, inner + ", " + outer, Packing.pack(outer, bomb));

        assertThat(failed(fetch(path)).kind()).as(path).isEqualTo(FetchFailure.BOMB);
      }
    }
  }

  @Test
  void refusesABodyPackedThreeTimes() {
    packed("/", "gzip, gzip, gzip", new byte[] {1});

    assertThat(failed(fetch("/")).kind()).isEqualTo(FetchFailure.DECODING);
  }

  @Test
  void stopsAtTheBombOfTheCorpus() throws IOException {
    packed("/", "gzip", Files.readAllBytes(Corpora.find("hostile/gzip-100MiB-zeros.gz")));

    assertThat(failed(fetch("/")).kind()).isIn(FetchFailure.BOMB, FetchFailure.TOO_LARGE);
  }

  @Test
  void takesARepetitivePageThatIsNoBomb() {
    var page = new byte[900_000];
    for (var codec : CODECS) {
      packed("/" + codec, codec, Packing.pack(codec, page));

      assertThat(answer(fetch("/" + codec)).body()).as(codec).hasSize(page.length);
    }
  }

  @Test
  void holdsLittleWhileManyBombsGoOff() throws Exception {
    packed("/", "gzip", Packing.zeros("gzip", 32));
    var least = fetcher.freeBuffers();
    var before = usedHeap();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var fetches = new ArrayList<Future<FetchResult>>();
      for (int i = 0; i < 64; i++) fetches.add(threads.submit(() -> fetch("/")));
      for (var fetch : fetches) {
        assertThat(failed(fetch.get()).kind()).isIn(FetchFailure.BOMB, FetchFailure.BUSY);
      }
    }

    assertThat(usedHeap() - before).isLessThan(32 << 20);
    assertThat(fetcher.freeBuffers()).as("all is given back").isEqualTo(least);
  }

  private static long usedHeap() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void refusesAZstdWindowLargerThanBrowsersTake() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new ZstdOutputStreamNoFinalizer(packed, 1).setLong(27)) {
      out.write(new byte[200_000]);
    }
    packed("/", "zstd", packed.toByteArray());

    assertThat(failed(fetch("/")).kind()).isEqualTo(FetchFailure.DECODING);
  }

  @Test
  void noticesDamagedAndShortenedBodies() {
    var random = new byte[50_000];
    new Random(7).nextBytes(random);
    for (var codec : List.of("gzip", "br", "zstd", "deflate")) {
      var whole = Packing.pack(codec, random);
      var damaged = whole.clone();
      for (int i = 0; i < 20; i++) damaged[i] ^= 0x55;
      packed("/damaged", codec, damaged);
      packed("/short", codec, Arrays.copyOf(whole, whole.length - 9));
      packed("/garbage", codec, "<html>not packed at all".getBytes(UTF_8));

      for (var path : List.of("/damaged", "/short", "/garbage")) {
        var failed = failed(fetch(path));
        assertThat(failed.kind()).as(codec + path).isEqualTo(FetchFailure.DECODING);
      }
    }
    var flipped = Packing.pack("gzip", random);
    flipped[25_000] ^= 1;
    packed("/flipped", "gzip", flipped);
    assertThat(failed(fetch("/flipped")).kind()).isEqualTo(FetchFailure.DECODING);
    packed("/unknown", "bzip2", random);
    assertThat(failed(fetch("/unknown")).kind()).isEqualTo(FetchFailure.DECODING);
  }

  @Test
  void noticesABodyThatBreaksOff() {
    site.on(
        "/length",
        (_, reply) -> {
          reply.head(200, Map.of("Content-Length", "1000"));
          reply.raw("only this");
          reply.close();
        });
    site.on(
        "/chunked",
        (_, reply) -> {
          reply.head(200, Map.of("Transfer-Encoding", "chunked"));
          reply.chunk("only this".getBytes(UTF_8));
          reply.close();
        });

    for (var path : List.of("/length", "/chunked")) {
      var failed = failed(fetch(path));
      assertThat(failed.kind()).isEqualTo(FetchFailure.PROTOCOL);
      assertThat(failed.kind().isTransient()).isTrue();
    }
  }

  @Test
  void noticesWhatIsNotHttp() {
    site.on("/garbage", (_, reply) -> raw(reply, "220 mail.example ESMTP\r\n"));
    site.on("/h2", (_, reply) -> raw(reply, "HTTP/2.0 200 OK\r\n\r\n"));
    site.on("/switch", (_, reply) -> raw(reply, "HTTP/1.1 101 Switching Protocols\r\n\r\n"));
    site.on("/length", (_, reply) -> raw(reply, "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"));
    site.on("/minus", (_, reply) -> raw(reply, "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"));
    site.on(
        "/chunk",
        (_, reply) -> raw(reply, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"));

    for (var path : List.of("/garbage", "/h2", "/switch", "/length", "/minus", "/chunk")) {
      assertThat(failed(fetch(path)).kind()).as(path).isEqualTo(FetchFailure.PROTOCOL);
    }
  }

  private static void raw(TestSite.Reply reply, String text) throws IOException {
    reply.raw(text);
    reply.close();
  }

  @Test
  void stopsAtHeadersWithoutEnd() {
    site.on(
        "/many",
        (_, reply) -> {
          reply.raw("HTTP/1.1 200 OK\r\n");
          while (true) reply.raw("X-Field: value\r\n");
        });
    site.on(
        "/long",
        (_, reply) -> {
          reply.raw("HTTP/1.1 200 OK\r\nX-Field: ");
          while (true) reply.raw("x".repeat(1000));
        });
    site.on(
        "/interim",
        (_, reply) -> {
          while (true) reply.head(103, Map.of("Link", "<a>"));
        });
    site.on(
        "/trailers",
        (_, reply) -> {
          reply.head(200, Map.of("Transfer-Encoding", "chunked"));
          reply.raw("0\r\n");
          while (true) reply.raw("X-Field: value\r\n");
        });

    for (var path : List.of("/many", "/long", "/interim", "/trailers")) {
      var kind = failed(fetch(path)).kind();
      assertThat(kind).as(path).isIn(FetchFailure.PROTOCOL, FetchFailure.TOO_LARGE);
    }
  }

  @Test
  void stopsAtABodyWithoutEnd() {
    site.on("/endless", (_, reply) -> endless(reply));

    var failed = failed(fetch("/endless"));

    assertThat(failed.kind()).isEqualTo(FetchFailure.TOO_LARGE);
    assertThat(fetcher.openConnections()).isZero();
    Awaitility.await().until(() -> site.open() == 0);
  }

  private static void endless(TestSite.Reply reply) throws IOException {
    reply.head(200, Map.of("Transfer-Encoding", "chunked"));
    var chunk = new byte[8192];
    while (true) reply.chunk(chunk);
  }

  @Test
  void refusesALargeBodyBeforeItComes() {
    site.on("/", (_, reply) -> reply.head(200, Map.of("Content-Length", "99999999999")));

    assertThat(failed(fetch("/")).kind()).isEqualTo(FetchFailure.TOO_LARGE);
  }

  @Test
  void countsWhatIsSentNotOnlyWhatItMeans() {
    var small = Fetching.fetcher("max-wire=64KiB");
    site.on(
        "/",
        (_, reply) -> {
          reply.head(200, Map.of("Transfer-Encoding", "chunked"));
          var tiny = "1;ext=" + "x".repeat(1000) + "\r\na\r\n";
          while (true) reply.raw(tiny);
        });

    try (small) {
      var failed = failed(small.fetch(FetchRequest.page(url(site.url("/")))));
      assertThat(failed.kind()).isEqualTo(FetchFailure.TOO_LARGE);
    }
  }

  @Test
  void takesABodyOfExactlyTheLimit() {
    for (var size : List.of(1 << 20, (1 << 20) + 1)) {
      var body = new byte[size];
      new Random(1).nextBytes(body);
      site.answer("/plain" + size, 200, Map.of(), body);
      packed("/gzip" + size, "gzip", Packing.pack("gzip", body));
      for (var kind : List.of("/plain", "/gzip")) {
        var request = FetchRequest.page(url(site.url(kind + size))).atMost(1 << 20);
        var fetched = fetcher.fetch(request);
        if (size == 1 << 20) assertThat(answer(fetched).body()).isEqualTo(body);
        else assertThat(failed(fetched).kind()).isEqualTo(FetchFailure.TOO_LARGE);
      }
    }
  }

  @Test
  void bringsTheBeginningOfALongRobotsTxt() { // F51
    var text = "Disallow: /a\n".repeat(100_000).getBytes(UTF_8);
    site.answer("/plain", 200, Map.of(), text);
    site.on("/endless", (_, reply) -> endless(reply));
    for (var codec : CODECS) packed("/" + codec, codec, Packing.pack(codec, text));

    for (var path : List.of("/plain", "/endless", "/gzip", "/br", "/zstd")) {
      var answer = answer(fetcher.fetch(FetchRequest.robots(url(site.url(path)))));

      assertThat(answer.truncated()).as(path).isTrue();
      assertThat(answer.body()).hasSize(500 * 1024);
      if (!path.equals("/endless"))
        assertThat(answer.body()).startsWith("Disallow: /a".getBytes(UTF_8));
    }
  }

  @Test
  void bringsTheBeginningOfAPackedBodyThatNeverEnds() {
    var random = new byte[4 << 20];
    new Random(3).nextBytes(random);
    var small = Fetching.fetcher("max-wire=2MiB");
    for (var codec : CODECS) packed("/" + codec, codec, Packing.pack(codec, random));

    try (small) {
      for (var codec : CODECS) {
        var request = FetchRequest.page(url(site.url("/" + codec))).first(3 << 20);
        var answer = answer(small.fetch(request));
        assertThat(answer.truncated()).as(codec).isTrue();
        assertThat(answer.body()).hasSizeBetween(1 << 20, 2 << 20);
        assertThat(answer.body()).isEqualTo(Arrays.copyOf(random, answer.body().length));
      }
    }
  }

  @Test
  void endsASlowDripWhenTheTimeIsUp() {
    site.on("/body", (_, reply) -> drip(reply, "HTTP/1.1 200 OK\r\n\r\n"));
    site.on("/head", (_, reply) -> drip(reply, "HTTP/1.1 200 OK\r\nX: "));
    site.on("/silence", (_, _) -> LockSupport.parkNanos(Duration.ofSeconds(60).toNanos()));
    var hasty = Fetching.fetcher("timeout=400ms");

    try (hasty) {
      for (var path : List.of("/body", "/head", "/silence")) {
        var started = System.nanoTime();

        var failed = failed(hasty.fetch(FetchRequest.page(url(site.url(path)))));

        assertThat(failed.kind()).as(path).isEqualTo(FetchFailure.TIMEOUT);
        assertThat(failed.kind().isTransient()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - started))
            .isLessThan(Duration.ofSeconds(20));
      }
      assertThat(hasty.openConnections()).isZero();
    }
  }

  private static void drip(TestSite.Reply reply, String head) throws IOException {
    reply.raw(head);
    while (true) {
      reply.raw("x");
      LockSupport.parkNanos(20_000_000);
    }
  }

  @Test
  void countsAllRedirectsAgainstOneTime() {
    site.on(
        "/slow/*",
        (request, reply) -> {
          LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
          reply.send(302, Map.of("Location", request.path() + "x"), new byte[0]);
        });
    var hasty = Fetching.fetcher("timeout=500ms");

    try (hasty) {
      var failed = failed(hasty.fetch(FetchRequest.page(url(site.url("/slow/")))));
      assertThat(failed.kind()).isEqualTo(FetchFailure.TIMEOUT);
    }
  }

  @Test
  void neverOpensMoreConnectionsThanAllowed() throws Exception {
    var go = new CountDownLatch(1);
    site.on(
        "/",
        (_, reply) -> {
          try {
            go.await();
          } catch (InterruptedException stopped) {
            throw new IOException(stopped);
          }
          reply.send(200, Map.of(), "x");
        });
    var narrow = Fetching.fetcher("max-connections-per-host=3", "max-connections=8");

    try (narrow;
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var fetches = new ArrayList<Future<FetchResult>>();
      for (int i = 0; i < 20; i++) {
        fetches.add(threads.submit(() -> narrow.fetch(FetchRequest.page(url(site.url("/"))))));
      }
      Awaitility.await().until(() -> site.log().size() == 3);
      go.countDown();

      for (var fetch : fetches) assertThat(answer(fetch.get()).status()).isEqualTo(200);
      assertThat(site.connects()).isEqualTo(3);
    }
  }

  @Test
  void isBusyWhenTheBuffersAreTaken() throws Exception {
    var narrow =
        Fetching.fetcher(
            "max-wire=1MiB",
            "max-body=1MiB",
            "buffers=20MiB",
            "buffer-wait=200ms",
            "timeout=4s",
            "max-connections-per-host=40");
    var big = new byte[1 << 20];
    site.on(
        "/held",
        (_, reply) -> {
          reply.head(200, Map.of("Content-Length", String.valueOf(big.length)));
          reply.raw(Arrays.copyOf(big, big.length - 1));
          LockSupport.parkNanos(Duration.ofSeconds(60).toNanos());
        });

    try (narrow;
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var fetches = new ArrayList<Future<FetchResult>>();
      for (int i = 0; i < 30; i++) {
        fetches.add(threads.submit(() -> narrow.fetch(FetchRequest.page(url(site.url("/held"))))));
      }
      var kinds = new ArrayList<FetchFailure>();
      for (var fetch : fetches) kinds.add(failed(fetch.get()).kind());

      assertThat(kinds).contains(FetchFailure.BUSY, FetchFailure.TIMEOUT);
      assertThat(narrow.freeBuffers()).isEqualTo(20 * 1024);
    }
  }
}
