/// Jobs over HTTP (C3).
@NullMarked
package io.tidemill.gateway.job;

import org.jspecify.annotations.NullMarked;
