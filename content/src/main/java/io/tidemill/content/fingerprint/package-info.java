/// Fingerprints of texts: near copies have near fingerprints.
@NullMarked
package io.tidemill.content.fingerprint;

import org.jspecify.annotations.NullMarked;
