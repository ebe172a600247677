package io.tidemill.dashboard;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/// One file of the dashboard, plain and compressed.
@SuppressWarnings("ArrayRecordComponent") // written once, straight to the socket
record Asset(String contentType, byte[] plain, byte[] gzipped) {
  static Asset of(String name, byte[] bytes) {
    return new Asset(contentType(name), bytes, gzip(bytes));
  }

  private static String contentType(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException("no content type for " + name);
    };
  }

  private static byte[] gzip(byte[] bytes) {
    var out = new ByteArrayOutputStream(bytes.length / 2 + 64);
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }
}
