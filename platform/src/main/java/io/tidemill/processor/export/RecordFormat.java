package io.tidemill.processor.export;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The formats that records can be exported in.
public enum RecordFormat {
  CSV("text/csv; charset=utf-8"),
  NDJSON("application/x-ndjson"),
  PARQUET("application/vnd.apache.parquet"),
  XLSX("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");

  private final String contentType;

  RecordFormat(String contentType) {
    this.contentType = contentType;
  }

  /// Its name in options, and the extension of its files.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String contentType() {
    return contentType;
  }

  /// Reads a name in any case.
  public static Optional<RecordFormat> of(String name) {
    return Arrays.stream(values()).filter(it -> it.name().equalsIgnoreCase(name)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(RecordFormat::wire).collect(Collectors.joining(", "));
  }
}
