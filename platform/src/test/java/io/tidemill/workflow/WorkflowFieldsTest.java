package io.tidemill.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.workflow.WorkflowFields;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The Lua scripts of the package name no field of the hashes that [WorkflowFields] does not have.
final class WorkflowFieldsTest {
  private static final Path SCRIPTS = Path.of("src/main/resources/io/tidemill/workflow");
  private static final Pattern CALL =
      Pattern.compile("redis\\.call\\('(H\\w+)', ([^,()]+(?:\\[[^]]+\\])?[^,]*), (.*)\\)");
  private static final Pattern LITERAL = Pattern.compile("'([^']*)'");
  // Fields that are named outside of a call: those that save_execution.lua collects, and compares.
  private static final Pattern NAMED =
      Pattern.compile(
          "set\\('(\\w+)'|ARGV\\[i\\] == '(\\w+)'|\\{ '(\\w+)', mark \\}|[{,] (\\w+) = tonumber");

  @Test
  void scriptsNameNoOtherField() throws IOException {
    var fields = fields();
    for (var script : scripts()) {
      assertThat(named(Files.readString(script))).as(script.toString()).isSubsetOf(fields);
    }
  }

  @Test
  void anUnknownFieldIsFound() {
    assertThat(named("redis.call('HSET', key, 'place', 'timer', 'plaice', 0)"))
        .containsExactlyInAnyOrder("place", "plaice");
    assertThat(named("local was = redis.call('HMGET', KEYS[1], 'status', 'plaice')"))
        .containsExactlyInAnyOrder("status", "plaice");
    assertThat(named("redis.call('HINCRBY', KEYS[1], 'lives', 1)")).containsExactly("lives");
    assertThat(named("set('takes', 0)")).containsExactly("takes");
  }

  @Test
  void theSearchFindsTheFieldsOfEveryScript() throws IOException {
    var all = new TreeSet<String>();
    for (var script : scripts()) all.addAll(named(Files.readString(script)));

    assertThat(all)
        .contains("status", "place", "run", "takes", "mark", "lives", "body", "seen", "shelf")
        .contains("currentStep", "currentStepIndex", "retryCount", "boost", "score", "group");
  }

  private static List<Path> scripts() throws IOException {
    try (var files = Files.list(SCRIPTS)) {
      var found = files.filter(file -> file.toString().endsWith(".lua")).toList();
      assertThat(found).hasSizeGreaterThan(10);
      return found;
    }
  }

  private static Set<String> fields() {
    return Arrays.stream(WorkflowFields.class.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .map(WorkflowFieldsTest::value)
        .collect(Collectors.toSet());
  }

  private static String value(java.lang.reflect.Field field) {
    try {
      return String.valueOf(field.get(null));
    } catch (IllegalAccessException notPublic) {
      throw new AssertionError(notPublic);
    }
  }

  private static Set<String> named(String script) {
    var names = new TreeSet<String>();
    for (var line : script.replaceAll(",\\s*\\n\\s*", ", ").split("\n", -1)) {
      if (line.strip().startsWith("--")) continue;
      for (var part : line.split("(?=redis\\.call)", -1)) {
        var call = CALL.matcher(part);
        if (call.find()) names.addAll(arguments(call.group(1), call.group(3)));
      }
      var named = NAMED.matcher(line);
      while (named.find()) {
        for (int i = 1; i <= named.groupCount(); i++) {
          if (named.group(i) != null) names.add(named.group(i));
        }
      }
    }
    return names;
  }

  // Of HSET every second argument is a value; HSETNX and HINCRBY have one field.
  private static Set<String> arguments(String command, String text) {
    var names = new TreeSet<String>();
    var arguments = text.split(", ", -1);
    var step = command.equals("HSET") ? 2 : command.matches("HMGET|HDEL") ? 1 : arguments.length;
    for (int i = 0; i < arguments.length; i += step) {
      var literal = LITERAL.matcher(arguments[i].strip());
      if (literal.lookingAt()) names.add(literal.group(1));
    }
    return names;
  }
}
