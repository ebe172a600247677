package io.tidemill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.deadletter.DeadLetter.State;
import io.tidemill.json.Json;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeadLetterSourceTest {
  private static final long SOON = Duration.ofMinutes(1).toNanos();

  private final AtomicInteger read = new AtomicInteger();

  @Test
  void thoseThatWaitAreSeenBehindTenThousandThatWereHandled() {
    var seen = source(12_000, 12_300).newest(System.nanoTime() + SOON).dead();

    assertThat(seen.stream().filter(row -> State.of(row) == State.WAITING)).hasSize(300);
    assertThat(seen).hasSize(300 + DeadLetterSource.MOST_HANDLED);
  }

  @Test
  void whenNoneIsLeftThatWaitsTheRestIsNotRead() {
    var seen = source(100_000, 100_000).newest(System.nanoTime() + SOON).dead();

    assertThat(seen).hasSize(DeadLetterSource.MOST_HANDLED);
    assertThat(read.get()).isLessThan(12_000);
  }

  /// The newest of them were redriven, the others wait.
  private DeadLetterSource source(int redriven, int all) {
    return (DeadLetterSource)
        Proxy.newProxyInstance(
            DeadLetterSource.class.getClassLoader(),
            new Class<?>[] {DeadLetterSource.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "list" -> page((int) arguments[0], (String) arguments[1], redriven, all);
                  case "waiting" -> (long) all - redriven;
                  default -> InvocationHandler.invokeDefault(proxy, method, arguments);
                });
  }

  private DeadLetterSource.Page page(int limit, @Nullable String before, int redriven, int all) {
    var from = before == null ? 0 : Integer.parseInt(before);
    var end = Math.min(all, from + limit);
    read.addAndGet(end - from);
    var rows =
        IntStream.range(from, end)
            .mapToObj(n -> {
              var row = Json.object().put("id", String.valueOf(n));
              return n < redriven ? row.put(HandledNotes.REDRIVEN_AT, 1) : row;
            })
            .toList();
    return new DeadLetterSource.Page(rows, all, end == all ? null : String.valueOf(end));
  }
}
