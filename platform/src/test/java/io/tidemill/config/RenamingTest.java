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
    assertThatThrownBy(() -> names.check(List.of("x", "y")))
        .hasMessageContaining("'a': expected one of x, y");
    assertThatThrownBy(() -> names.check(List.of("a", "b")))
        .hasMessageContaining("two things have this name");
  }

  @Test
  void refusesNamesThatCouldBeTakenForOthers() {
    var known = List.of("pages", "data.collected");
    var following = List.of("pages.dead", "data.collected.dead");

    assertThatThrownBy(() -> renamed("pages=data").check(known, following))
        .hasMessage("amqp.queues has 'data.collected': it could be taken for pages.collected");
    assertThatThrownBy(() -> renamed("data.collected=pages.dead").check(known, following))
        .hasMessage("amqp.queues has 'pages.dead': two things have this name");
    assertThatThrownBy(() -> renamed("pages.dead=x").check(known, following))
        .hasMessage("amqp.queues has 'pages.dead': expected one of pages, data.collected");
    renamed("pages=data.collected", "data.collected=pages").check(known, following);
  }

  @Test
  void whatHasTheContractsNameBesideOursIsSomebodyElses() {
    var names = renamed("pages=acme.pages");

    assertThat(List.of("acme.pages", "acme.pages.dead", "others")).allMatch(names::isOurs);
    assertThat(List.of("pages", "pages.dead")).noneMatch(names::isOurs);
  }

  @Test
  void refusesWhatTheServerWouldNotTake() {
    assertThatThrownBy(
            () -> renamed("pages=a b").require(name -> !name.contains(" "), "expected x"))
        .hasMessage("amqp.queues has 'a b': expected x");
  }

  private static Renaming renamed(String... pairs) {
    return new Renaming("amqp.queues", List.of(pairs));
  }
}
