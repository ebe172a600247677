package io.tidemill.cli;

import io.tidemill.cli.client.Commands;
import io.tidemill.cli.client.Commands.BenchRequest;
import io.tidemill.cli.client.Commands.Finding;
import io.tidemill.cli.client.Commands.RunRequest;
import io.tidemill.cli.client.Commands.UpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Notes what it is asked for, and answers with what a test lined up.
final class FakeLauncher implements Commands.Launcher {
  final List<Object> asked = new ArrayList<>();
  List<Finding> findings = List.of();
  int code;
  @Nullable RuntimeException failure;

  @Override
  public int up(UpRequest request) {
    return answer(request);
  }

  @Override
  public int run(RunRequest request) {
    return answer(request);
  }

  @Override
  public List<Finding> doctor(Map<String, String> overrides, Optional<Path> configFile) {
    return findings;
  }

  @Override
  public int bench(BenchRequest request) {
    return answer(request);
  }

  @Override
  public void snapshot(Path target, Map<String, String> overrides, Optional<Path> configFile) {
    answer(target);
  }

  @Override
  public long rebuild(Map<String, String> overrides, Optional<Path> configFile) {
    return answer("rebuild");
  }

  @Override
  public void vectors(
      boolean again,
      Map<String, String> overrides,
      Optional<Path> configFile,
      Commands.VectorsProgress progress) {
    answer("vectors");
    for (int left = 3; left >= 0; left--) progress.at(left, false);
  }

  @Override
  public int warm(Path scratch) {
    return answer(scratch);
  }

  private int answer(Object request) {
    if (failure != null) throw failure;
    asked.add(request);
    return code;
  }
}
