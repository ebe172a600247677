package io.tidemill.dashboard.overview;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.dashboard.overview.WaitReason.Level;
import io.tidemill.presence.PresenceStore.Check;
import io.tidemill.presence.PresenceStore.Member;
import io.tidemill.presence.PresenceStore.Seen;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexReasonsTest {
  private static Seen process(String role, boolean isUp, String detail) {
    var checks = Map.of("index", new Check(isUp, detail));
    return new Seen(
        new Member(role, "box", 7, "1", List.of(role), 0, false, checks, Map.of(), Map.of()),
        0,
        false);
  }

  @Test
  void namesEveryProcessThatDoesNotSeeTheIndex() {
    var reasons =
        IndexReasons.of(
            List.of(
                process("indexer", true, ""),
                process("processor", false, "it is not here"),
                process("gateway", false, "it is there")));

    assertThat(reasons)
        .containsExactly(
            WaitReason.of(
                WaitReason.Code.INDEX_ELSEWHERE, Level.DOWN, "box:7 (gateway): it is there"),
            WaitReason.of(
                WaitReason.Code.INDEX_ELSEWHERE, Level.WARN, "box:7 (processor): it is not here"));
    var health = OverallHealth.of(List.of(), List.of(), reasons, 0, 0);
    assertThat(health.level()).isEqualTo(Level.DOWN);
    assertThat(health.text()).isEqualTo("box:7 (gateway): it is there.");
  }

  @Test
  void saysNothingWhileAllSeeIt() {
    assertThat(IndexReasons.of(List.of(process("gateway", true, "")))).isEmpty();
  }
}
