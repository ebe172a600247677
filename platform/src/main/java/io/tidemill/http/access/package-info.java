/// Who may call what: API keys, sessions, origins, trusted proxies, and the audit of changes.
@NullMarked
package io.tidemill.http.access;

import org.jspecify.annotations.NullMarked;
