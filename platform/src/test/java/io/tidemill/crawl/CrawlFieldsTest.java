package io.tidemill.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The scripts name no field that is not in [CrawlFields], and no state that is not a [CrawlState].
class CrawlFieldsTest {
  private static final Path SCRIPTS = Path.of("src/main/resources/io/tidemill/crawl");
  private static final Pattern CALL =
      Pattern.compile("redis\\.call\\('(HGET|HMGET|HSET|HSETNX|HDEL|HINCRBY)',");

  /// Fields that scripts get from outside: fields of a new crawl, and `kind`, how a page ended.
  private static final Set<String> ARGUMENTS =
      Set.of("ARGV[1]", "unpack(ARGV, 5)", "unpack(ARGV, 6)", "kind");

  private record Field(String key, String name) {}

  @Test
  void scriptsNameOnlyFieldsOfTheList() throws IOException {
    var unknown = new TreeSet<String>();
    for (var field : fields()) {
      var known = field.key().startsWith("host_key") ? CrawlFields.HOST : CrawlFields.CRAWL;
      var isLiteral = field.name().startsWith("'");
      var name = field.name().replace("'", "");
      if (!(isLiteral ? known : ARGUMENTS).contains(name)) unknown.add(field.toString());
    }

    assertThat(unknown).isEmpty();
  }

  @Test
  void theListHasNoHostFieldThatNoScriptNames() throws IOException {
    var named = fields().stream().map(Field::name).collect(Collectors.toSet());

    assertThat(CrawlFields.HOST).allMatch(field -> named.contains("'" + field + "'"));
  }

  @Test
  void scriptsWriteOnlyStatesOfTheEnum() throws IOException {
    var written = new TreeSet<String>();
    for (var script : scripts()) {
      var state = Pattern.compile("'state', '(\\w+)'").matcher(script);
      while (state.find()) written.add(state.group(1));
    }
    written.remove("open"); // HMGET key state open
    written.remove("taken");

    assertThat(written).isNotEmpty().allSatisfy(wire -> CrawlState.of(wire));
  }

  private static List<Field> fields() throws IOException {
    var fields = new ArrayList<Field>();
    for (var script : scripts()) {
      var call = CALL.matcher(script);
      while (call.find()) {
        var arguments = arguments(script, call.end());
        var step = call.group(1).equals("HSET") ? 2 : 1;
        var one = call.group(1).matches("HGET|HINCRBY|HSETNX");
        IntStream.iterate(1, i -> i < (one ? 2 : arguments.size()), i -> i + step)
            .forEach(i -> fields.add(new Field(arguments.getFirst(), arguments.get(i))));
      }
    }
    assertThat(fields).hasSizeGreaterThan(80);
    return fields;
  }

  /// The arguments of a call up to its closing parenthesis, split at commas of the outer level.
  private static List<String> arguments(String script, int from) {
    var arguments = new ArrayList<String>();
    var depth = 0;
    var start = from;
    for (int i = from; depth >= 0; i++) {
      var c = script.charAt(i);
      if (c == '(' || c == '[') depth++;
      if (c == ')' || c == ']') depth--;
      if (depth < 0 || (depth == 0 && c == ',')) {
        arguments.add(script.substring(start, i).strip());
        start = i + 1;
      }
    }
    return arguments;
  }

  private static List<String> scripts() throws IOException {
    var scripts = new ArrayList<String>();
    try (var files = Files.list(SCRIPTS)) {
      for (var file : files.toList()) scripts.add(Files.readString(file));
    }
    return scripts;
  }
}
