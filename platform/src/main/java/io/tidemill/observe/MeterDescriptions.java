package io.tidemill.observe;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/// Describes meters that are made by name and tags alone; the texts are in `meters.properties`.
final class MeterDescriptions implements MeterFilter {
  private static final Properties TEXTS = load();

  private static Properties load() {
    var texts = new Properties();
    var name = "meters.properties";
    try (var in = Objects.requireNonNull(MeterDescriptions.class.getResourceAsStream(name), name)) {
      texts.load(new InputStreamReader(in, UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return texts;
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    var text = TEXTS.getProperty(id.getName());
    if (id.getDescription() != null || text == null) return id;
    return new Meter.Id(
        id.getName(), Tags.of(id.getTagsAsIterable()), id.getBaseUnit(), text, id.getType());
  }
}
