/// HTTP as handlers see it: requests, response values, routes, problem documents, event streams.
@NullMarked
package io.tidemill.http;

import org.jspecify.annotations.NullMarked;
