package io.tidemill.analytics;

/// Quarters of a fingerprint: of two that differ in up to three bits, one quarter at least is the
/// same.
final class FingerprintBands {
  static final int COUNT = 4;

  private FingerprintBands() {}

  static int[] of(long fingerprint) {
    var bands = new int[COUNT];
    for (var i = 0; i < COUNT; i++) bands[i] = (int) (fingerprint >>> (16 * i)) & 0xFFFF;
    return bands;
  }
}
