package io.tidemill.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import io.tidemill.analytics.CollectedItem.Author;
import io.tidemill.analytics.CollectedItem.Reactions;
import io.tidemill.json.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostReaderTest {
  private static Post read(String json) {
    return PostReader.read(Json.parse(json));
  }

  @Test
  void theSecondLayoutIsRead() {
    var post =
        read(
            """
            {"meta":{"id":"744","platform":"TIKTOK","published_at":"2025-12-10T08:00:00Z",
              "permalink":"https://t.example/744"},
             "content":{"text":"Review","transcription":"Hello","hashtags":["vf8"]},
             "interaction":{"views":10000,"likes":500,"comments_count":50,"shares":100,"saves":25},
             "author":{"id":"a1","name":"Ann","followers":50000,"is_verified":true},
             "comments":[{"text":"good"}]}
            """);

    assertThat(post.id()).isEqualTo("744");
    assertThat(post.platform()).isEqualTo("tiktok");
    assertThat(post.url()).isEqualTo("https://t.example/744");
    assertThat(post.text()).isEqualTo("Review");
    assertThat(post.spoken()).isEqualTo("Hello");
    assertThat(post.tags()).containsExactly("vf8");
    assertThat(post.author()).isEqualTo(new Author("a1", "Ann", 50_000, true));
    assertThat(post.reactions()).isEqualTo(new Reactions(10_000, 500, 50, 100, 25));
    assertThat(post.publishedAt()).isEqualTo(Instant.parse("2025-12-10T08:00:00Z"));
  }

  @Test
  void theFirstLayoutIsRead() {
    var post =
        read(
            """
            {"id":7441234567890123456,"platform":"youtube","project_id":"p","url":"https://y.example",
             "title":"A film","text":"About cars","view_count":"12","like_count":3,
             "comment_count":2.0,"share_count":1,"author":"Ann","created_at":1765353600}
            """);

    assertThat(post.id()).isEqualTo("7441234567890123456");
    assertThat(post.projectId()).isEqualTo("p");
    assertThat(post.title()).isEqualTo("A film");
    assertThat(post.text()).isEqualTo("About cars");
    assertThat(post.author().name()).isEqualTo("Ann");
    assertThat(post.reactions()).isEqualTo(new Reactions(12, 3, 2, 1, 0));
    assertThat(post.publishedAt()).isEqualTo(Instant.parse("2025-12-10T08:00:00Z"));
  }

  @Test
  void commentsThatNobodyCountedAreCounted() {
    assertThat(read("{\"id\":\"1\",\"comments\":[{},{}]}").reactions().comments()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7|the item is not a JSON object",
        "[]|the item is not a JSON object",
        "{}|the item has neither an id nor any text",
        "{\"meta\":{\"id\":{}}}|id must be a string",
        "{\"id\":1.5}|id must be a string",
        "{\"id\":\"LONG\"}|id, project_id and platform must have at most 255 characters",
      })
  void whatIsNoPostIsSaid(String json, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(json.replace("LONG", "x".repeat(3_000))))
        .withMessage(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"1\",\"likes\":-5}",
        "{\"id\":\"1\",\"likes\":\"many\"}",
        "{\"id\":\"1\",\"likes\":{}}",
        "{\"id\":\"1\",\"content\":[],\"author\":7,\"meta\":\"x\",\"interaction\":null}",
      })
  void whatIsNoNumberCountsForNothing(String json) {
    assertThat(read(json).reactions().likes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"yesterday\"", "\"-999999999-01-01T00:00:00Z\"", "-5", "true", "1e300", "{}"})
  void aTimeThatIsNoneIsNotKnown(String time) {
    assertThat(read("{\"id\":\"1\",\"published_at\":" + time + "}").publishedAt()).isNull();
  }

  @Test
  void moreReactionsNeverMeanLessImpact() {
    var author = new Author("", "", 1_000, false);
    qt().forAll(longs().between(0, 1L << 50), longs().between(0, 1L << 50))
        .checkAssert((likes, more) -> {
          var few = ImpactScore.of(new Reactions(0, likes, 0, 0, 0), author);
          var many = ImpactScore.of(new Reactions(more, likes, more, 0, 0), author);
          assertThat(few).isBetween(0.0, 100.0);
          assertThat(many).isBetween(few, 100.0);
        });
  }
}
