package io.tidemill.worker.ai;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The files in a model's answer: fenced blocks, by the names that it gave them.
///
/// A name follows the language, or is on the line before the block, or in a comment on its first
/// line. When no block has a name, every block is a file; else blocks without stay in the text.
///
/// @param text around the files
record CodeFiles(List<CodeFile> files, String text) {
  /// @param name relative, safe, and unique even where case does not count
  record CodeFile(String name, String language, String content) {}

  CodeFiles {
    files = List.copyOf(files);
  }

  /// @param language of blocks that name none
  static CodeFiles read(String answer, String language) {
    var parts = MarkdownFences.split(answer);
    var isNamed = parts.stream().anyMatch(part -> part.block() && !part.name().isEmpty());
    var files = new ArrayList<CodeFile>();
    var taken = new HashSet<String>();
    var text = new StringBuilder();
    for (var part : parts) {
      if (part.block() && (!isNamed || !part.name().isEmpty())) {
        files.add(file(part, language, taken));
      } else {
        text.append(part.block() ? part.written() : part.content());
      }
    }
    return new CodeFiles(files, text.toString().replaceAll("\n{3,}", "\n\n").strip());
  }

  private static CodeFile file(MarkdownFences.Part part, String without, Set<String> taken) {
    var given = FileName.safe(part.name());
    var language =
        part.language().isEmpty()
            ? given.flatMap(FileName::language).orElse(without)
            : part.language();
    var name = given.orElse(FileName.of(language));
    return new CodeFile(free(name, taken), language, part.content());
  }

  // Two blocks of one name are both kept.
  private static String free(String name, Set<String> taken) {
    var free = name;
    for (int n = 2; !taken.add(free.toLowerCase(Locale.ROOT)); n++) {
      free = FileName.numbered(name, n);
    }
    return free;
  }
}
