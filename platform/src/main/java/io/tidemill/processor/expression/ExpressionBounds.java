package io.tidemill.processor.expression;

import com.dashjoin.jsonata.Jsonata;
import com.dashjoin.jsonata.Jsonata.EntryCallback;
import com.dashjoin.jsonata.Jsonata.ExitCallback;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The limits of one expression on one record: steps, values, depth, size of values and, for
/// everything else, time.
final class ExpressionBounds {
  private static final int MOST_WORK = 2_000_000;
  private static final int DEEPEST = 200;
  private static final long LARGEST = 16L * 1024 * 1024;
  private static final int PER_VALUE = 16;
  private static final int CHECK_EVERY = 64;
  private static final long LONGEST = Duration.ofSeconds(10).toNanos();

  private final IdentityHashMap<Object, Long> sizes = new IdentityHashMap<>();
  private long work;
  private int steps;
  private int depth;
  private long deadline;

  /// More than allowed.
  static final class Exceeded extends RuntimeException {
    Exceeded(String message) {
      super(message, null, false, false);
    }
  }

  /// Limits everything that an expression does.
  void guard(Jsonata jsonata) {
    // The library's own limits are time and depth only; its callbacks use a type that is not
    // public.
    jsonata.assign("__evaluate_entry", callback(EntryCallback.class, (_, _, _) -> enter()));
    jsonata.assign(
        "__evaluate_exit", callback(ExitCallback.class, (_, _, given) -> leave(given[3])));
  }

  private static <T> T callback(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /// Starts another record.
  void begin() {
    work = 0;
    steps = 0;
    depth = 0;
    sizes.clear();
    deadline = System.nanoTime() + LONGEST;
  }

  private @Nullable Object enter() {
    if (++depth > DEEPEST) throw new Exceeded("the expression goes too deep");
    spend(1);
    if (++steps % CHECK_EVERY == 0) checkLimits();
    return null;
  }

  private void checkLimits() {
    if (System.nanoTime() - deadline > 0) throw new Exceeded("the expression takes too long");
    if (Thread.currentThread().isInterrupted()) throw new Exceeded("interrupted");
  }

  private @Nullable Object leave(@Nullable Object value) {
    depth--;
    switch (value) {
      case String text -> {
        spend(text.length() / PER_VALUE);
        check(text.length());
      }
      case Collection<?> list -> {
        spend(list.size());
        check((long) list.size() * PER_VALUE);
        check(size(list));
      }
      case Map<?, ?> object -> {
        spend(object.size());
        check(size(object));
      }
      // [RegexLiterals] replaces all of them; one that it missed is refused here, before its use.
      case Pattern _ -> throw new Exceeded("the expression has a pattern in an odd place");
      case null, default -> {}
    }
    return null;
  }

  private void spend(int some) {
    work += some;
    if (work > MOST_WORK) throw new Exceeded("the expression does too much for one record");
  }

  private static void check(long size) {
    if (size > LARGEST) throw new Exceeded("the expression makes a value that is too large");
  }

  /// The size of the expanded value: one list may contain another a thousand times.
  private long size(@Nullable Object value) {
    return switch (value) {
      case String text -> text.length() + PER_VALUE;
      case Collection<?> list -> known(list, list);
      case Map<?, ?> object -> known(object, object.values());
      case null, default -> PER_VALUE;
    };
  }

  private long known(Object container, Collection<?> values) {
    var known = sizes.get(container);
    if (known != null) return known;
    // Against values that contain themselves.
    sizes.put(container, (long) PER_VALUE);
    var sum = (long) PER_VALUE;
    for (var value : values) {
      sum += size(value);
      check(sum);
    }
    sizes.put(container, sum);
    return sum;
  }
}
