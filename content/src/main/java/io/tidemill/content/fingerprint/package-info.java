/// Fingerprints: a [Digest] tells any two contents apart, and near copies have a near [SimHash].
@NullMarked
package io.tidemill.content.fingerprint;

import org.jspecify.annotations.NullMarked;
