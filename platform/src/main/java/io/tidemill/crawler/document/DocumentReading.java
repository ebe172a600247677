package io.tidemill.crawler.document;

/// What became of a document: its text, or why there is none.
public sealed interface DocumentReading permits ParsedDocument, DocumentReading.Failed {

  /// Why a document could not be read.
  enum Cause {
    /// Not a kind of document that is read.
    UNSUPPORTED,
    /// Larger than is read.
    TOO_LARGE,
    /// Broken, encrypted, or a bomb.
    UNREADABLE,
    /// It took too long; its child was killed.
    TIMEOUT,
    /// Its child died: out of memory, or killed from outside.
    CRASHED
  }

  /// @param reason for people
  record Failed(Cause cause, String reason) implements DocumentReading {}
}
