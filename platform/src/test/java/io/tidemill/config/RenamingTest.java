package io.tidemill.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RenamingTest {
  @Test
  void translatesBothWaysAndWithSuffixes() { // G6
    var names = new Renaming("kafka.groups", List.of("workflows=acme.flows"));

    assertThat(names.names(List.of("workflows", "workflows.dead", "workflowsx", "tasks")))
        .containsExactly("acme.flows", "acme.flows.dead", "workflowsx", "tasks");
    assertThat(names.original("acme.flows.dead")).isEqualTo("workflows.dead");
    assertThat(names.original("tasks")).isEqualTo("tasks");
  }

  @Test
  void refusesWhatIsNoPairTwiceTheSameAndUnknownNames() {
    for (var wrong : List.of("a", "=b", "a=")) {
      assertThatThrownBy(() -> new Renaming("kafka.groups", List.of(wrong)))
          .hasMessageContaining("kafka.groups has '" + wrong + "': expected pairs");
    }
    assertThatThrownBy(() -> new Renaming("kafka.groups", List.of("a=b", "a=c")))
        .hasMessageContaining("each name once");
    assertThatThrownBy(() -> new Renaming("kafka.groups", List.of("a=c", "b=c")))
        .hasMessageContaining("another name for each");
    var names = new Renaming("kafka.groups", List.of("a=b"));
    assertThatThrownBy(() -> names.check("kafka.groups", List.of("x", "y")))
        .hasMessageContaining("'a': expected one of x, y");
    assertThatThrownBy(() -> names.check("kafka.groups", List.of("a", "b")))
        .hasMessageContaining("two things have this name");
  }
}
