/// The dashboard in a real browser, on a running product.
@org.jspecify.annotations.NullMarked
package io.tidemill.dashboard;
