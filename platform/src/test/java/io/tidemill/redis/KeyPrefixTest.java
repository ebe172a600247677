package io.tidemill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Protocol.Command;

/// The prefix of keys (G6), and that no command of ours has keys in a place that is not known.
class KeyPrefixTest {
  private static final List<Path> SCRIPTS =
      List.of(Path.of("src/main/resources"), Path.of("../app/src/main/resources"));
  private static final List<Path> SOURCES =
      List.of(Path.of("src/main/java"), Path.of("../app/src/main/java"));

  private final KeyPrefix prefix = new KeyPrefix("acme:");

  @Test
  void standsBeforeEveryKeyOfACommandAndNothingElse() {
    assertThat(prefix.arguments(Command.HSET, "job:1", "job:2", 3))
        .containsExactly("acme:job:1", "job:2", 3);
    assertThat(prefix.arguments(Command.DEL, "a", "b", "c"))
        .containsExactly("acme:a", "acme:b", "acme:c");
    assertThat(prefix.arguments(Command.LMOVE, "a", "b", "LEFT", "RIGHT"))
        .containsExactly("acme:a", "acme:b", "LEFT", "RIGHT");
    assertThat(prefix.arguments(Command.XINFO, "GROUPS", "s")).containsExactly("GROUPS", "acme:s");
    assertThat(prefix.arguments(Command.XREAD, "COUNT", 1, "STREAMS", "a", "b", "0", "0"))
        .containsExactly("COUNT", 1, "STREAMS", "acme:a", "acme:b", "0", "0");
    assertThat(prefix.arguments(Command.CLIENT, "ID")).containsExactly("ID");
    assertThat(prefix.arguments(Command.TIME)).isEmpty();
  }

  @Test
  void isTakenOffOnTheWayBack() {
    assertThat(prefix.remove(prefix.add("jobs:stream"))).isEqualTo("jobs:stream");
    assertThat(prefix.add(List.of("a", "b"))).containsExactly("acme:a", "acme:b");
  }

  @Test
  void withoutOneEverythingStaysTheSame() {
    var none = new KeyPrefix("");
    var arguments = new Object[] {"a", "b"};
    var script = Script.load(RedisLock.class, "release_lock.lua");
    var keys = List.of("a");

    assertThat(none.arguments(Command.DEL, arguments)).isSameAs(arguments);
    assertThat(none.script(script)).isSameAs(script);
    assertThat(none.add(keys)).isSameAs(keys);
  }

  @Test
  void aScriptKeepsItsFlagsAndItsLines() {
    var plain = Script.load(RedisLock.class, "release_lock.lua");

    var prefixed = prefix.script(plain);

    assertThat(prefixed.body())
        .startsWith("#!lua\n")
        .contains("'acme:'")
        .hasLineCount(lines(plain));
    assertThat(prefixed.sha()).isNotEqualTo(plain.sha());
    assertThat(prefix.script(plain)).isSameAs(prefixed);
  }

  private static int lines(Script script) {
    return (int) script.body().lines().count();
  }

  @Test
  void thePlaceOfKeysIsKnownForEveryCommand() throws IOException {
    var used = new TreeSet<String>();
    for (var file : files(SCRIPTS, ".lua")) used.addAll(commandsOf(Files.readString(file)));
    for (var file : files(SOURCES, ".java")) {
      used.addAll(found("(?<!Redis)Command\\.([A-Z]+)\\b", Files.readString(file)));
    }
    for (var command : RedisCommand.values()) used.add(command.name());
    used.removeAll(List.of("EVAL", "EVALSHA", "MOST")); // those two have their keys by themselves

    assertThat(used).hasSizeGreaterThan(60);
    for (var command : used) {
      assertThatCode(() -> KeyPlace.of(Command.valueOf(command))).doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> KeyPlace.of(Command.SORT)).hasMessageContaining("SORT");
  }

  @Test
  void scriptsReachRedisByCallOnly() throws IOException {
    for (var file : files(SCRIPTS, ".lua")) {
      if (file.endsWith("prefix_keys.lua")) continue;
      assertThat(found("\\bredis\\.(\\w+)", code(Files.readString(file))))
          .as(file.toString())
          .isSubsetOf("call", "pcall");
    }
  }

  @Test
  void aWrongOneIsRefusedInOneLine() {
    assertThatThrownBy(() -> new RedisConfig("", 1, Duration.ofSeconds(1), "a b'"))
        .hasMessage(
            "redis.prefix is 'a b'': expected up to 100 letters, digits and . _ : / @ { } -");
  }

  // Commands by name, and those of an `and … or …`.
  private static List<String> commandsOf(String script) {
    var commands = new ArrayList<String>();
    for (var call : found("redis\\.p?call\\(([^,)]+)", code(script))) {
      commands.addAll(found("'(\\w+)'", call));
    }
    return commands;
  }

  private static String code(String script) {
    return script.replaceAll("(?m)^\\s*--.*$", "");
  }

  private static List<String> found(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(hit -> hit.group(1)).toList();
  }

  private static List<Path> files(List<Path> folders, String ending) throws IOException {
    var all = new ArrayList<Path>();
    for (var folder : folders) {
      try (var files = Files.walk(folder)) {
        files.filter(file -> file.toString().endsWith(ending)).forEach(all::add);
      }
    }
    assertThat(all).hasSizeGreaterThan(10);
    return all;
  }
}
