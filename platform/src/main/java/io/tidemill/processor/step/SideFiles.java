package io.tidemill.processor.step;

import java.io.IOException;
import java.nio.file.Path;

/// Puts a file aside as an object that people can fetch.
public interface SideFiles {
  /// @param name made of the step's id: the same name again replaces the object
  /// @return its address, as `s3://bucket/key`
  String put(String name, Path file) throws IOException;
}
