package io.tidemill.content.robots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.url.WebUrl;
import io.tidemill.testing.Corpora;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/// Google's own assertions, the examples of RFC 9309, and 2,111 real files.
class RobotsCorpusTest {
  private static final Logger LOG = LoggerFactory.getLogger(RobotsCorpusTest.class);

  /// The paths are asked for as they stand, as Google's parser is: a [WebUrl] would already have
  /// escaped them.
  @Test
  void answersAsGoogleAndTheStandardDo() {
    var wrong = new ArrayList<String>();
    var googles = new ArrayList<String>();
    int rows = 0;
    for (var row : Corpora.lines("robots/allow-rows-google-rfc9309.jsonl")) {
      rows++;
      var body = row.get("robots").stringValue().getBytes(StandardCharsets.UTF_8);
      var robots = Robots.parse(body, row.get("user_agent").stringValue());
      boolean allows = robots.allowsPath(path(row.get("url").stringValue()));
      if (allows == row.get("allowed").booleanValue()) continue;
      boolean google = row.path("google_only").booleanValue(false);
      (google ? googles : wrong).add(row.get("id").stringValue() + " " + row.get("test"));
    }
    LOG.info("{} rows; Google's extensions that we don't follow: {}", rows, googles);
    assertThat(wrong).isEmpty();
  }

  private static String path(String url) {
    int host = url.indexOf("//");
    int start = host < 0 ? -1 : url.indexOf('/', host + 2);
    return start < 0 ? "/" : url.substring(start);
  }

  @Test
  void answersAsTwoParsersDoWhereTheyAgree() throws IOException {
    var files = files();
    var parsed = new HashMap<String, Robots>();
    int agreed = 0;
    int same = 0;
    int google = 0;
    int all = 0;
    for (var row : Corpora.lines("robots/real-robots-labelled.jsonl.gz")) {
      var agent = row.get("user_agent").stringValue();
      var file = row.get("file").stringValue();
      var robots =
          parsed.computeIfAbsent(
              agent + " " + file,
              _ -> Robots.parse(Objects.requireNonNull(files.get(file)), agent));
      boolean allows = robots.allows(WebUrl.parse(row.get("url").stringValue()).orElseThrow());
      boolean expected = row.get("google").booleanValue();
      all++;
      if (allows == expected) google++;
      if (expected != row.get("protego").booleanValue()) continue;
      agreed++;
      if (allows == expected) same++;
    }
    LOG.info("{} of {} that agree; {} of {} like Google's", same, agreed, google, all);
    assertThat(same).isGreaterThanOrEqualTo((int) Math.ceil(agreed * 0.99));
  }

  private static Map<String, byte[]> files() throws IOException {
    var files = new HashMap<String, byte[]>();
    try (var raw = Files.newInputStream(Corpora.find("robots/real-robots-files.tar.gz"));
        var in = new DataInputStream(new GZIPInputStream(raw))) {
      var header = new byte[512];
      for (in.readFully(header); header[0] != 0; in.readFully(header)) {
        var name = new String(header, 0, 100, StandardCharsets.UTF_8).replaceAll("\0.*", "");
        var size = new String(header, 124, 11, StandardCharsets.US_ASCII).strip();
        var body = in.readNBytes(Integer.parseInt(size, 8));
        in.readNBytes((512 - body.length % 512) % 512);
        files.put(name.substring(name.lastIndexOf('/') + 1), body);
      }
    }
    return files;
  }

  @Test
  void readsLineEndsAndByteOrderMarksAsGoogleDoes() {
    var facts =
        JsonMapper.shared().readTree(Corpora.find("robots/google-misc-facts.json").toFile());
    for (var fact : facts.get("parse_counts")) {
      var body = Base64.getDecoder().decode(fact.get("robots_base64").stringValue());
      var robots = Robots.parse(body, "foo");
      var name = fact.get("name").stringValue();
      if (fact.get("valid_directives").intValue() == 4) { // a group for bar alone follows
        assertThat(robots.allowsPath("/x")).as(name).isTrue();
        assertThat(Robots.parse(body, "bar").allowsPath("/x")).as(name).isFalse();
      }
    }
  }

  @Test
  void escapesPatternsAsGoogleDoes() {
    var facts =
        JsonMapper.shared().readTree(Corpora.find("robots/google-misc-facts.json").toFile());
    for (var fact : facts.get("pattern_escape")) {
      var bytes = fact.get("pattern").stringValue().getBytes(StandardCharsets.UTF_8);
      var pattern = new String(bytes, StandardCharsets.ISO_8859_1);
      assertThat(PathEscapes.upperEscapes(PathEscapes.asciiOnly(pattern)))
          .isEqualTo(fact.get("escaped").stringValue());
    }
  }
}
