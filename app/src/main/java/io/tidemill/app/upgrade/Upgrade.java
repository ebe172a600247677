package io.tidemill.app.upgrade;

import io.tidemill.config.SettingsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes stored data over to the format of this build, or refuses data of a later one.
///
/// The order is the promise: [#files], the servers start, [#servers], [#finish]. A stamp is raised
/// only when everything that it stands for is done, so the next start after a crash does the rest.
public final class Upgrade {
  private static final Logger log = LoggerFactory.getLogger(Upgrade.class);

  private final List<Migration> migrations;
  private final Stamp current;

  /// @param version of this build
  public Upgrade(String version) {
    this(version, Migrations.ALL);
  }

  Upgrade(String version, List<Migration> migrations) {
    this.migrations = List.copyOf(migrations);
    current = new Stamp(migrations.size(), version);
  }

  /// The format that this build writes.
  public int format() {
    return current.format();
  }

  /// What a data folder says of itself; empty when there is nothing in it yet.
  ///
  /// @throws SettingsException when this build must not touch the folder: its format is a later
  ///   one, or not known
  public Optional<Stamp> check(Path data) {
    var found = new FolderStamp(data).read();
    found
        .filter(stamp -> stamp.format() > format())
        .ifPresent(newer -> {
          throw refused(
              "data.dir is '%s'".formatted(data), newer, "name another folder with --data");
        });
    return found;
  }

  /// Takes the files of a folder over; the folder belongs to this process.
  public void files(Path data) {
    var from = check(data).map(Stamp::format).orElse(format()); // nothing there: nothing to change
    for (int number = from; number < format(); number++) {
      var migration = migrations.get(number);
      log.info("data folder to format {}: {}", number + 1, migration.what());
      try {
        migration.files(data);
      } catch (IOException failed) {
        throw new UncheckedIOException(
            "the data folder can't be taken over to format %d: %s"
                .formatted(number + 1, failed.getMessage()),
            failed);
      }
    }
  }

  /// Takes the data on the servers over, and notes its format there.
  public void servers(Servers servers) {
    var stamp = new ServerStamp(servers.redis());
    var found = stamp.read();
    if (found.format() > format()) {
      throw refused("redis.url: the data on these servers", found, "name other servers");
    }
    for (int number = found.format(); number < format(); number++) {
      var migration = migrations.get(number);
      log.debug("data on the servers to format {}: {}", number + 1, migration.what());
      migration.servers(servers);
      stamp.raise(new Stamp(number + 1, current.writtenBy()));
    }
    if (found.format() == format() && !found.equals(current)) stamp.raise(current);
  }

  /// Stamps the folder: the upgrade is complete.
  public void finish(Path data) {
    var stamp = new FolderStamp(data);
    if (!stamp.read().equals(Optional.of(current))) stamp.write(current);
  }

  private SettingsException refused(String what, Stamp newer, String otherwise) {
    return new SettingsException(
        "%s: its format is %d, written by %s, and this build knows formats up to %d; start the newer version, or %s"
            .formatted(what, newer.format(), newer.writtenBy(), format(), otherwise));
  }
}
