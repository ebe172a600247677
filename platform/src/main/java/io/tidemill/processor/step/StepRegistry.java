package io.tidemill.processor.step;

import io.tidemill.api.Step;
import io.tidemill.service.Plugins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The steps of this process: the built-in ones, and those of plug-ins, which win (C2.8).
public final class StepRegistry {
  private final Map<String, Step> byName = new HashMap<>();

  private StepRegistry(Iterable<? extends Step> steps) {
    for (var step : steps) {
      if (step.name().isBlank()) {
        throw new IllegalArgumentException(step.getClass().getName() + " has no name");
      }
      byName.put(step.name(), step);
    }
  }

  /// Exactly these steps; the last one of a name wins.
  public static StepRegistry of(List<? extends Step> steps) {
    return new StepRegistry(steps);
  }

  /// Our own, and every step on the class path and in `plugins/*.jar`.
  ///
  /// @throws IllegalArgumentException that names the jar or class which can't be used
  public static StepRegistry find(Path plugins, List<? extends Step> own) {
    var steps = new ArrayList<Step>(own);
    steps.addAll(Plugins.in(plugins).all(Step.class));
    return new StepRegistry(steps);
  }

  /// The step of a name.
  public Optional<Step> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /// All names, in order.
  public Set<String> names() {
    return new TreeSet<>(byName.keySet());
  }
}
