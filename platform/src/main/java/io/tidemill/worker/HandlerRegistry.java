package io.tidemill.worker;

import io.tidemill.api.JobHandler;
import io.tidemill.api.Tool;
import io.tidemill.contract.job.JobTask;
import io.tidemill.contract.job.ToolSpec;
import io.tidemill.service.Plugins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The handlers of this process; those of plugins replace ours of the same task.
public final class HandlerRegistry {
  private final Map<String, JobHandler> byTask = new HashMap<>();

  public HandlerRegistry(Iterable<? extends JobHandler> handlers) {
    for (var handler : handlers) {
      if (JobTask.of(handler.task()).isEmpty()) {
        throw new IllegalArgumentException(
            "%s is for the task '%s': expected one of %s"
                .formatted(handler.getClass().getName(), handler.task(), JobTask.NAMES));
      }
      byTask.put(handler.task(), handler);
    }
  }

  /// Finds every handler and tool on the class path and in `plugins/*.jar`. They replace those of
  /// the same name that `ServiceLoader` can't construct.
  ///
  /// @throws IllegalArgumentException that names the jar or class which can't be used
  public static HandlerRegistry find(
      Path plugins, List<? extends Tool> ownTools, List<? extends JobHandler> ownHandlers) {
    var found = Plugins.in(plugins);
    // The last one of a name counts.
    var tools = new ArrayList<Tool>(ownTools);
    tools.addAll(found.all(Tool.class));
    var handlers = new ArrayList<JobHandler>(ownHandlers);
    handlers.add(new ToolHandler(tools));
    handlers.addAll(found.all(JobHandler.class));
    return new HandlerRegistry(handlers);
  }

  /// The tools that jobs of the task `tool` can call here.
  public List<ToolSpec> tools() {
    return byTask.get("tool") instanceof ToolHandler handler ? handler.tools() : List.of();
  }

  /// The handler of a task.
  public Optional<JobHandler> forTask(String task) {
    return Optional.ofNullable(byTask.get(task));
  }
}
