/// Plain text made short, or safe for markup.
@NullMarked
package io.tidemill.content.text;

import org.jspecify.annotations.NullMarked;
