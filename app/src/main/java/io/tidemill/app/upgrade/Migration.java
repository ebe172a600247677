package io.tidemill.app.upgrade;

import java.io.IOException;
import java.nio.file.Path;

/// One step from a format of stored data to the next one.
///
/// Both parts are run again when a process dies before the stamp is raised, so doing one twice must
/// be the same as doing it once. They also meet folders and servers that hold nothing yet.
public interface Migration {
  /// What it does, for the log.
  String what();

  /// Changes files of a data folder, before its servers start. Nobody else uses the folder.
  default void files(Path data) throws IOException {}

  /// Changes what the servers hold, before roles start. Processes that start at the same time may
  /// do so side by side: a change in Redis is one script.
  default void servers(Servers servers) {}
}
