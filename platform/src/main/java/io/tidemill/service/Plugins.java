package io.tidemill.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Plug-ins: the services on the class path and in the jars of a folder.
public final class Plugins {
  private static final Logger log = LoggerFactory.getLogger(Plugins.class);

  private final ClassLoader loader;

  private Plugins(ClassLoader loader) {
    this.loader = loader;
  }

  /// @param folder need not exist
  public static Plugins in(Path folder) {
    return new Plugins(loader(folder));
  }

  /// One of each class that serves as `type`: our own first, those of the folder after them.
  ///
  /// @throws IllegalArgumentException that names the jar or class which can't be used
  public <T> List<T> all(Class<T> type) {
    try {
      return ServiceLoader.load(type, loader).stream().map(ServiceLoader.Provider::get).toList();
    } catch (ServiceConfigurationError broken) {
      throw new IllegalArgumentException("a plugin can't be used: " + broken.getMessage(), broken);
    }
  }

  private static ClassLoader loader(Path folder) {
    var own = Plugins.class.getClassLoader();
    if (!Files.isDirectory(folder)) return own;
    try (var files = Files.list(folder)) {
      var jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      if (jars.isEmpty()) return own;
      log.info("plugins: {}", jars);
      // Lives as long as the process: plugins load their classes late.
      return new URLClassLoader(jars.stream().map(Plugins::url).toArray(URL[]::new), own);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("plugins folder " + folder, unreadable);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalArgumentException("plugin " + jar, impossible);
    }
  }
}
