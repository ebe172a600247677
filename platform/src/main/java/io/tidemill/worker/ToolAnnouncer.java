package io.tidemill.worker;

import io.tidemill.contract.job.ToolSpec;
import io.tidemill.job.ToolRegistry;
import io.tidemill.redis.RedisException;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells everybody again and again which tools this worker offers (C3.11). Who stops saying so is
/// forgotten after a while.
public final class ToolAnnouncer implements Service {
  private static final Logger log = LoggerFactory.getLogger(ToolAnnouncer.class);
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final ToolRegistry store;
  private final List<ToolSpec> tools;
  private final PeriodicTask rounds = new PeriodicTask("tool announcer", EVERY, this::announce);

  public ToolAnnouncer(ToolRegistry store, List<ToolSpec> tools) {
    this.store = store;
    this.tools = List.copyOf(tools);
  }

  @Override
  public String name() {
    return rounds.name();
  }

  @Override
  public void start() {
    rounds.start();
  }

  @Override
  public void stop() {
    rounds.stop();
  }

  private void announce() {
    try {
      store.announce(tools);
    } catch (RedisException later) {
      log.debug("tools are not announced: {}", later.getMessage());
    }
  }
}
