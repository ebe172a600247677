/// The dashboard role: web pages over the stores, served beside the gateway.
@NullMarked
package io.tidemill.dashboard;

import org.jspecify.annotations.NullMarked;
