package io.tidemill.deadletter;

import java.util.regex.Pattern;

/// What a broker's message died of, in one word for lists and groups; its message says it in full.
///
/// Dead letters carry words alone, and those of other programs and earlier versions count too: so
/// the word is read from them.
public final class DeathReason {
  /// Its bytes could not be read.
  public static final String UNREADABLE = "UNREADABLE";

  /// It was read, and something in it is missing or wrong.
  public static final String MALFORMED = "MALFORMED";

  /// It was tried as often as it may be.
  public static final String FAILED_REPEATEDLY = "FAILED_REPEATEDLY";

  /// The batch that it announces can't be stored.
  public static final String BAD_BATCH = "BAD_BATCH";

  /// Whoever buried it left no word.
  public static final String UNKNOWN = "UNKNOWN";

  private static final Pattern NO_MESSAGE =
      Pattern.compile("\\bnot (valid )?(JSON|UTF-8)\\b|\\brecord is empty\\b|\\bhas no value\\b");
  private static final Pattern BATCH = Pattern.compile("^(failed \\d+ times: )?the batch\\b");

  private DeathReason() {}

  public static String of(String message, int attempts) {
    if (message.isBlank()) return UNKNOWN;
    if (BATCH.matcher(message).find()) return BAD_BATCH;
    if (NO_MESSAGE.matcher(message).find()) return UNREADABLE;
    return attempts > 1 ? FAILED_REPEATEDLY : MALFORMED;
  }
}
