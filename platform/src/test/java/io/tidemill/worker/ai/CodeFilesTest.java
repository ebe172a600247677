package io.tidemill.worker.ai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.worker.ai.CodeFiles.CodeFile;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodeFilesTest {
  @Test
  void takesNamedBlocksAndLeavesTheRestInTheText() {
    var code =
        read(
            """
            Two files:

            ```python src/app.py
            print("hi")
            ```
            and its style:
            ~~~css web/style.css
            a { }
            ~~~
            Run it:
            ```sh
            python src/app.py
            ```
            """);

    assertThat(code.files())
        .containsExactly(
            new CodeFile("src/app.py", "python", "print(\"hi\")\n"),
            new CodeFile("web/style.css", "css", "a { }\n"));
    assertThat(code.text())
        .isEqualTo("Two files:\n\nand its style:\nRun it:\n```sh\npython src/app.py\n```");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "```python src/app.py\nX\n```",
        "```python:src/app.py\nX\n```",
        "```src/app.py\nX\n```",
        "```python title=\"src/app.py\"\nX\n```",
        "```python {file=src/app.py}\nX\n```",
        "**src/app.py**\n```python\nX\n```",
        "### `src/app.py`\n\n```python\nX\n```",
        "File: src/app.py\n```python\nX\n```",
        "```python src/app.py showLineNumbers\nX\n```",
        "```python ./src/app.py\nX"
      })
  void findsANameWhereverModelsWriteIt(String answer) {
    assertThat(read(answer).files()).containsExactly(new CodeFile("src/app.py", "python", "X\n"));
  }

  @Test
  void findsANameInAComment() {
    assertThat(read("```js\n// lib/a.js\nrun()\n```").files())
        .containsExactly(new CodeFile("lib/a.js", "js", "// lib/a.js\nrun()\n"));
  }

  @Test
  void withoutAnyNameEveryBlockIsAFile() {
    assertThat(read("```java\nclass A {}\n```\n```\nplain\n```\n```java\nclass B {}\n```").files())
        .extracting(CodeFile::name, CodeFile::language)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("main.java", "java"),
            org.assertj.core.groups.Tuple.tuple("main.txt", "text"),
            org.assertj.core.groups.Tuple.tuple("main-2.java", "java"));
  }

  @Test
  void aLongerFenceMayHoldAShorterOne() {
    var code = read("````markdown README.md\n# Use\n```sh\nmake\n```\n````\nDone.");

    assertThat(code.files())
        .containsExactly(new CodeFile("README.md", "markdown", "# Use\n```sh\nmake\n```\n"));
    assertThat(code.text()).isEqualTo("Done.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"js {1,3}", "js showLineNumbers", "js {1,3} copy", "js:line-numbers"})
  void howABlockIsShownIsNoName(String info) {
    assertThat(read("```" + info + "\nX\n```").files())
        .containsExactly(new CodeFile("main.js", "js", "X\n"));
  }

  @Test
  void aFenceThatIsIndentedFurtherClosesNothing() {
    assertThat(read("```md a.md\n1. Run:\n\n    ```\n    make\n    ```\n   ``` \nDone.").files())
        .containsExactly(new CodeFile("a.md", "md", "1. Run:\n\n    ```\n    make\n    ```\n"));
  }

  @Test
  void theSameNameTwiceStaysTwoFiles() {
    assertThat(read("```c a.c\n1\n```\n```c A.c\n2\n```\n```c a.c\n3\n```").files())
        .extracting(CodeFile::name)
        .containsExactly("a.c", "A-2.c", "a-3.c");
  }

  @ParameterizedTest
  @CsvSource({
    "a.py, a.py",
    "./a/b.py, a/b.py",
    "pages/[id].tsx, pages/[id].tsx",
    ".env, .env",
    "Ünïcode name.txt, Ünïcode name.txt",
    "../a.py, ''",
    "a/../b.py, ''",
    "/etc/passwd, ''",
    "~/a, ''",
    "C:\\a.py, ''",
    "C:a.py, ''",
    "a//b, ''",
    "a/, ''",
    "-rf, ''",
    "..., ''",
    "a., ''",
  })
  void onlySafeNamesAreTaken(String name, String taken) {
    assertThat(FileName.safe(name).orElse("")).isEqualTo(taken);
  }

  @Test
  void noAnswerLeadsToAnUnsafeName() {
    var random = new Random(7);
    var pieces =
        new String[] {
          "```", "````", "~~~", "\n", " ", "python", "../", "/", "a", ".", "\0", "\\", ":",
          "title=", "\"", "**", "# ", "é", "\u202e"
        };
    for (int round = 0; round < 3_000; round++) {
      var answer = new StringBuilder("```");
      for (int i = random.nextInt(25); i >= 0; i--) {
        answer.append(pieces[random.nextInt(pieces.length)]);
      }
      for (var file : read(answer.toString()).files()) {
        assertThat(FileName.safe(file.name())).as(answer.toString()).contains(file.name());
        assertThat(file.name()).doesNotContain("..").doesNotStartWith("/");
      }
    }
  }

  private static CodeFiles read(String answer) {
    return CodeFiles.read(answer, "text");
  }
}
