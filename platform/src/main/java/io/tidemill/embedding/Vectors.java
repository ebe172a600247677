package io.tidemill.embedding;

/// Arithmetic on vectors.
public final class Vectors {
  private Vectors() {}

  /// The cosine of two vectors of length 1.
  public static float similarity(float[] one, float[] other) {
    var sum = 0f;
    for (int i = 0; i < one.length; i++) sum += one[i] * other[i];
    return sum;
  }

  /// Normalizes to length 1; a zero vector becomes the first axis.
  static float[] unit(float[] vector) {
    var square = 0.0;
    for (var value : vector) square += (double) value * value;
    if (square == 0 || !Double.isFinite(square)) {
      var first = new float[vector.length];
      first[0] = 1;
      return first;
    }
    var length = (float) Math.sqrt(square);
    for (int i = 0; i < vector.length; i++) vector[i] /= length;
    return vector;
  }

  static void add(float[] to, float[] vector, float weight) {
    for (int i = 0; i < to.length; i++) to[i] += weight * vector[i];
  }
}
