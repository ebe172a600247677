package io.tidemill.config;

/// An amount of bytes, written `200KiB`, `1 MB` or plainly `4096` in settings.
public record ByteSize(long bytes) {
  public ByteSize {
    if (bytes < 0) throw new IllegalArgumentException("size is " + bytes + ": expected 0 or more");
  }

  public static ByteSize ofKib(long kib) {
    return new ByteSize(Math.multiplyExact(kib, 1024L));
  }

  public static ByteSize ofMib(long mib) {
    return ofKib(Math.multiplyExact(mib, 1024L));
  }
}
