package io.tidemill.contract.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.strings;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MailboxTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ann@example.org;;ann@example.org",
        " ann@EXAMPLE.org ;;ann@example.org",
        "o'brien+x@mail.example.org;;o'brien+x@mail.example.org",
        "Ann Lee <ann@example.org>;Ann Lee;ann@example.org",
        "\"Lee, Ann\" <ann@example.org>;Lee, Ann;ann@example.org",
        "Jürgen <j@bücher.example>;Jürgen;j@xn--bcher-kva.example",
        "root@localhost;;root@localhost",
      })
  void readsAddressesWithAndWithoutNames(String given, String name, String address) {
    assertThat(Mailbox.parse(given)).contains(new Mailbox(name == null ? "" : name, address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ann",
        "@example.org",
        "ann@",
        "a@b@c",
        "a b@example.org",
        "ann@exa mple.org",
        "ann@-example.org",
        "ann@example..org",
        ".ann@example.org",
        "a..b@example.org",
        "ann@example.org, bob@example.org",
        "ann@example.org>",
        "<ann@example.org",
        "ann@example.org\r\nBcc: all@example.org",
        "Ann\nBcc: x <ann@example.org>",
        "ann@[127.0.0.1]",
        "ünn@example.org",
      })
  void refusesWhatIsNoAddress(String given) {
    assertThat(Mailbox.parse(given)).isEqualTo(Optional.empty());
  }

  @Test
  void nothingThatIsTakenCanLeaveItsLine() { // F52
    qt().withExamples(5_000)
        .forAll(strings().allPossible().ofLengthBetween(0, 30))
        .checkAssert(noise -> {
          for (var given : new String[] {noise, noise + "@example.org", noise + " <a@b.example>"}) {
            Mailbox.parse(given)
                .ifPresent(box -> assertThat(box.toString()).doesNotContainPattern("[\r\n\0]"));
          }
        });
  }
}
