package io.tidemill.worker;

import io.tidemill.contract.job.JobTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The handlers of this process: our own, and those in the jars of the plugins folder, which win.
public final class Handlers {
  private static final Logger log = LoggerFactory.getLogger(Handlers.class);

  private final Map<String, JobHandler> byTask = new HashMap<>();

  Handlers(Iterable<? extends JobHandler> handlers) {
    for (var handler : handlers) {
      if (JobTask.of(handler.task()).isEmpty()) {
        throw new IllegalArgumentException(
            "%s is for the task '%s': expected one of %s"
                .formatted(handler.getClass().getName(), handler.task(), JobTask.NAMES));
      }
      byTask.put(handler.task(), handler);
    }
  }

  /// Exactly these handlers.
  public static Handlers of(List<? extends JobHandler> handlers) {
    return new Handlers(handlers);
  }

  /// Finds every handler and tool on the class path and in `plugins/*.jar`.
  ///
  /// @throws IllegalArgumentException that names the jar or class which can't be used
  public static Handlers find(Path plugins) {
    return find(plugins, List.of());
  }

  /// The same with tools of our own that need more than a `ServiceLoader` can give them; plugins of
  /// the same name win over them as well.
  public static Handlers find(Path plugins, List<? extends Tool> own) {
    var loader = pluginLoader(plugins);
    try {
      var tools = new ArrayList<Tool>(own);
      tools.addAll(found(Tool.class, loader));
      var handlers = new ArrayList<JobHandler>();
      handlers.add(new ToolHandler(tools));
      handlers.addAll(found(JobHandler.class, loader));
      return new Handlers(handlers);
    } catch (ServiceConfigurationError broken) {
      throw new IllegalArgumentException("a plugin can't be used: " + broken.getMessage(), broken);
    }
  }

  // Our own first, plugins after them: the last one of a name wins.
  private static <T> List<T> found(Class<T> type, ClassLoader loader) {
    return ServiceLoader.load(type, loader).stream().map(ServiceLoader.Provider::get).toList();
  }

  private static ClassLoader pluginLoader(Path plugins) {
    var own = Handlers.class.getClassLoader();
    if (!Files.isDirectory(plugins)) return own;
    try (var files = Files.list(plugins)) {
      var jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      if (jars.isEmpty()) return own;
      log.info("plugins: {}", jars);
      // Lives as long as the process: handlers load their classes late.
      return new URLClassLoader(jars.stream().map(Handlers::url).toArray(URL[]::new), own);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("plugins folder " + plugins, unreadable);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalArgumentException("plugin " + jar, impossible);
    }
  }

  /// The handler of a task.
  public Optional<JobHandler> forTask(String task) {
    return Optional.ofNullable(byTask.get(task));
  }
}
