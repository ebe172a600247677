package io.tidemill.worker.ai;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The files in a model's answer: fenced blocks, by the names that it gave them.
///
/// A name is written behind the language, on the line before the block, or in a comment on its
/// first line. When no block has one, every block is a file; else those without stay in the text.
///
/// @param text what was said around them
record CodeFiles(List<CodeFile> files, String text) {
  /// @param name relative and safe to make a file of, no other one's even where case does not count
  record CodeFile(String name, String language, String content) {}

  CodeFiles {
    files = List.copyOf(files);
  }

  /// @param language of blocks that say nothing of theirs
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
    var wished = FileName.safe(part.name());
    var language =
        part.language().isEmpty()
            ? wished.flatMap(FileName::language).orElse(without)
            : part.language();
    var name = wished.orElse(FileName.of(language));
    return new CodeFile(free(name, taken), language, part.content());
  }

  // Both are kept: which one counts only a reader can say.
  private static String free(String name, Set<String> taken) {
    var free = name;
    for (int n = 2; !taken.add(free.toLowerCase(Locale.ROOT)); n++) {
      free = FileName.numbered(name, n);
    }
    return free;
  }
}
