package io.tidemill.processor;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;
import java.util.List;

/// Settings of the processor role, read from keys `processor.*`.
@Section("processor")
public record ProcessorConfig(
    @Setting(value = "64", doc = "Workflows that one process runs at once.") int workflows,
    @Setting(value = "32", doc = "Tasks that one process runs at once.") int tasks,
    @Setting(
            value = "15s",
            doc =
                "How long a processor may stay silent before others take over its work; it renews three times as often.")
        Duration lease,
    @Setting(
            value = "1h",
            doc =
                "How long one attempt at a step may take; a step's own option `timeout` wins if shorter.")
        Duration stepTimeout,
    @Setting(value = "15m", doc = "How long one attempt at a task may take.") Duration taskTimeout,
    @Setting(
            value = "5",
            doc = "Attempts at a step whose errors may pass, before its workflow fails.")
        int stepAttempts,
    @Setting(
            value = "1s",
            doc = "Pause before the second attempt at a step; it doubles with each further one.")
        Duration stepRetryAfter,
    @Setting(value = "1m", doc = "The longest pause between attempts at a step.")
        Duration stepRetryMost,
    @Setting(
            value = "30s",
            doc = "Pause before the first retry of a task; it doubles with each further one.")
        Duration retryAfter,
    @Setting(value = "15m", doc = "The longest pause before a retry of a task.") Duration retryMost,
    @Setting(
            value = "",
            doc =
                "Other pauses for single types of tasks, such as email_notification=10s..5m: first and longest.")
        List<String> retryTypes,
    @Setting(
            value = "5",
            doc =
                "Processes that may die over one workflow or task before it counts as the cause and fails.")
        int maxTakes,
    @Setting(
            value = "20ms",
            doc =
                "Steps that only make records of records and took less are done again after a crash, rather than each written down before the next one starts; 0s writes down each.")
        Duration repeatable,
    @Setting(
            value = "5m",
            doc =
                "How long a processor of another make may say nothing about what it began, when the created event comes to us, before we begin anew.")
        Duration foreignSilence,
    @Setting(
            value = "",
            doc =
                "Base URL of a gateway of another make that learns status only by PATCH /internal/workflows/{id} and /internal/tasks/{id}, such as http://gateway:3000; all processors should have it. Empty: no reports.")
        String reportUrl,
    @Setting(
            value = "",
            doc = "API key for processor.report-url, sent as `Authorization: Bearer`.",
            secret = true)
        String reportKey,
    @Setting(
            value = "20s",
            doc = "How long a stopping processor waits for what it runs before it hands it on.")
        Duration stopTimeout) {
  public ProcessorConfig {
    atLeast("workflows", workflows);
    atLeast("tasks", tasks);
    atLeast("step-attempts", stepAttempts);
    atLeast("max-takes", maxTakes);
    if (lease.toMillis() < 100) {
      throw new IllegalArgumentException(
          "processor.lease is " + lease + ": expected 100 ms or more");
    }
    if (repeatable.isNegative()) {
      throw new IllegalArgumentException(
          "processor.repeatable is " + repeatable + ": expected 0 or more");
    }
    positive("foreign-silence", foreignSilence);
    positive("step-timeout", stepTimeout);
    positive("task-timeout", taskTimeout);
    positive("step-retry-after", stepRetryAfter);
    positive("step-retry-most", stepRetryMost);
    positive("retry-after", retryAfter);
    positive("retry-most", retryMost);
    var _ = new RetrySchedule(retryAfter, retryMost, retryTypes);
    if (!reportUrl.isEmpty()) {
      var _ = ReportClient.base(reportUrl);
    }
  }

  private static void atLeast(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(
          "processor." + key + " is " + value + ": expected 1 or more");
    }
  }

  private static void positive(String key, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(
          "processor." + key + " is " + value + ": expected more than 0");
    }
  }

  boolean isReporting() {
    return !reportUrl.isEmpty();
  }

  RetrySchedule retrySchedule() {
    return new RetrySchedule(retryAfter, retryMost, retryTypes);
  }
}
