package io.tidemill.lucene;

import org.apache.lucene.analysis.tokenattributes.CharTermAttributeImpl;
import org.apache.lucene.util.AttributeFactory;
import org.apache.lucene.util.AttributeImpl;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// A term attribute with cached bytes, which are not encoded again for each occurrence.
///
/// Public because Lucene creates the instances.
public final class CachedTerm extends CharTermAttributeImpl {
  static final AttributeFactory FACTORY =
      AttributeFactory.getStaticImplementation(
          AttributeFactory.DEFAULT_ATTRIBUTE_FACTORY, CachedTerm.class);

  private @Nullable BytesRef bytes;

  void show(StemCache.Term known) {
    copyBuffer(known.chars(), 0, known.chars().length);
    bytes = known.bytes();
  }

  @Override
  public BytesRef getBytesRef() {
    var known = bytes;
    return known == null ? super.getBytesRef() : known;
  }

  @Override
  public void clear() {
    super.clear();
    bytes = null;
  }

  @Override
  public void copyTo(AttributeImpl target) {
    super.copyTo(target);
    if (target instanceof CachedTerm other) other.bytes = bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CachedTerm && super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
