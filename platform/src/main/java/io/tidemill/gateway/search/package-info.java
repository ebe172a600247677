/// Search and pages over HTTP (C4.7).
@NullMarked
package io.tidemill.gateway.search;

import org.jspecify.annotations.NullMarked;
