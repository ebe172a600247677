package io.tidemill.embedding;

import java.util.List;

/// A text as a vector of length 1.
///
/// @param tokens that the model has read, of all passages
/// @param parts the passages with their own vectors; the vector of a long text is their mean
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Embedding(float[] vector, int tokens, List<Part> parts) {
  /// A passage and its vector.
  public record Part(TextPassage passage, float[] vector) {}

  /// Whether the text has more than one passage.
  public boolean isChunked() {
    return parts.size() > 1;
  }
}
