package io.tidemill.embedding;

/// The model can't be used; the message says why.
public final class EmbeddingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public EmbeddingException(String message, Throwable cause) {
    super(message, cause);
  }

  public EmbeddingException(String message) {
    super(message);
  }
}
