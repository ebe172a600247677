/// URLs as the web uses them: parsed like a browser does, normalised as identity (C4.4).
@NullMarked
package io.tidemill.content.url;

import org.jspecify.annotations.NullMarked;
