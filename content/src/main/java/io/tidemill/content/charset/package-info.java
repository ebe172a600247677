/// The encoding of a body, found as browsers find it, and its characters.
@NullMarked
package io.tidemill.content.charset;

import org.jspecify.annotations.NullMarked;
