package io.tidemill.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.job.JobFields;
import io.tidemill.contract.job.JobNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Scripts spell no names of keys and fields but those of [JobNames] and [JobFields].
class JobScriptsTest {
  private static final Path SCRIPTS = Path.of("src/main/resources/io/tidemill");
  private static final List<Path> FOLDERS =
      List.of(SCRIPTS.resolve("job"), SCRIPTS.resolve("redis/stream"));
  private static final Pattern LITERAL = Pattern.compile("'((?:[^'\\\\]|\\\\.)*)'");
  // `stream .. ':turn'` has fields of its own.
  private static final Set<String> TURN_FIELDS = Set.of("number", "tenant", "left");
  // Field names in replies of Redis itself, and in a running event's data.
  private static final Set<String> OTHERS =
      Set.of(
          "name",
          "pending",
          "lag",
          "idle",
          "last-delivered-id",
          "entries-added",
          "entry",
          "attempt",
          "worker");
  private static final Pattern COMMAND =
      Pattern.compile("redis\\.p?call\\('(HGET|HMGET|HSET|HDEL|HINCRBY|HSTRLEN|XADD)', (.*)");
  private static final Pattern INDEX = Pattern.compile("\\['([^']*)'\\]");

  @Test
  void keysBesideTheQueueAreThoseOfJobNames() throws IOException {
    var suffixes = new TreeSet<String>();
    for (var line : lines()) literals(line, text -> text.startsWith(":"), suffixes);

    suffixes.remove(":"); // between tenant and task
    assertThat(suffixes).isSubsetOf(JobNames.SUFFIXES).contains(":waiting", ":aside:");
  }

  @Test
  void fieldsAreThoseOfJobFields() throws IOException {
    var known = fields();
    known.addAll(TURN_FIELDS);
    known.addAll(OTHERS);

    assertThat(known).containsAll(fieldsIn(lines()));
    assertThat(fieldsIn(lines())).contains("status", "ttl_s", "type", "upto");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          redis.call('HSET', job, 'stat', 'done')              | stat
          local hash = redis.call('HMGET', job, 'status', 'tl') | tl
          redis.call('XADD', events, '*', 'kind', 'done')       | kind
          if fields['typ'] == 'running' then                   | typ
          """)
  void aMisspelledFieldIsFound(String line, String field) {
    assertThat(fieldsIn(List.of(line))).contains(field);
    assertThat(fields()).doesNotContain(field);
  }

  private static Set<String> fieldsIn(List<String> lines) {
    var found = new TreeSet<String>();
    for (var line : lines) {
      var index = INDEX.matcher(line);
      while (index.find()) found.add(index.group(1));
      var command = COMMAND.matcher(line);
      while (command.find()) found.addAll(names(command.group(1), command.group(2)));
    }
    return found;
  }

  // Literals after the key; of names and values every second one.
  private static List<String> names(String command, String rest) {
    var depth = 0;
    var end = 0;
    while (end < rest.length() && depth >= 0) {
      var c = rest.charAt(end++);
      if (c == '(' || c == '{') depth++;
      if (c == ')' || c == '}') depth--;
    }
    var arguments = Arrays.asList(rest.substring(0, depth < 0 ? end - 1 : end).split(",\\s*"));
    var after = arguments.subList(1, arguments.size());
    if (command.equals("XADD")) after = after.subList(after.indexOf("'*'") + 1, after.size());
    var pairs = command.equals("HSET") || command.equals("XADD");
    var names = new HashSet<String>();
    for (int i = 0; i < after.size(); i += pairs ? 2 : 1) {
      literals(after.get(i), text -> text.matches("\\w+"), names);
    }
    return List.copyOf(names);
  }

  private static void literals(String text, Predicate<String> wanted, Set<String> found) {
    var literal = LITERAL.matcher(text);
    while (literal.find()) {
      if (wanted.test(literal.group(1))) found.add(literal.group(1));
    }
  }

  // A command may go on in the next line.
  private static List<String> lines() throws IOException {
    var lines = new java.util.ArrayList<String>();
    for (var folder : FOLDERS) {
      try (var files = Files.list(folder)) {
        for (var file : files.sorted().toList()) {
          var code =
              Files.readAllLines(file).stream()
                  .filter(line -> !line.strip().startsWith("--"))
                  .collect(Collectors.joining("\n"));
          lines.addAll(code.replaceAll(",\\n\\s*", ", ").lines().toList());
        }
      }
    }
    return lines;
  }

  private static Set<String> fields() {
    return Arrays.stream(JobFields.class.getFields())
        .map(JobScriptsTest::value)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static String value(java.lang.reflect.Field field) {
    try {
      return (String) field.get(null);
    } catch (IllegalAccessException hidden) {
      throw new IllegalStateException(hidden);
    }
  }
}
