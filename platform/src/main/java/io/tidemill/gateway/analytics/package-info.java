/// What was collected and analysed, over HTTP (C5.8).
@NullMarked
package io.tidemill.gateway.analytics;

import org.jspecify.annotations.NullMarked;
