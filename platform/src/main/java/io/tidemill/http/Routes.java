package io.tidemill.http;

import java.util.List;

/// A part of the HTTP interface.
public interface Routes {
  List<Route> routes();
}
