package io.tidemill.store.redis;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Protocol.Command;

/// Which dead letters were sent on their way again, and when: the topic that they lie in can't be
/// changed.
public final class Redriven {
  private final Redis redis;

  public Redriven(Redis redis) {
    this.redis = redis;
  }

  /// @param letter names the letter for good, so that a topic that was made anew starts clean
  public void note(String topic, String letter, Instant at) {
    redis.call(Command.HSET, key(topic), letter, at.toEpochMilli());
  }

  /// Takes the note back: the letter is gone.
  public void forget(String topic, String letter) {
    redis.call(Command.HDEL, key(topic), letter);
  }

  /// When those of them that were redriven were so.
  public Map<String, Instant> of(String topic, List<String> letters) {
    if (letters.isEmpty()) return Map.of();
    var arguments = new Object[letters.size() + 1];
    arguments[0] = key(topic);
    for (int i = 0; i < letters.size(); i++) arguments[i + 1] = letters.get(i);
    var times = Redis.list(redis.call(Command.HMGET, arguments));
    var redriven = new HashMap<String, Instant>();
    for (int i = 0; i < letters.size(); i++) {
      var time = times.get(i);
      if (time != null) {
        redriven.put(letters.get(i), Instant.ofEpochMilli(Long.parseLong(Redis.text(time))));
      }
    }
    return redriven;
  }

  /// How many of a topic's letters were redriven, those included that are gone.
  public long count(String topic) {
    return (Long) requireNonNull(redis.call(Command.HLEN, key(topic)));
  }

  static String key(String topic) {
    return "dead:redriven:" + topic;
  }
}
