package io.tidemill.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// One key of a [Section]: its default and its meaning.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  /// The default, written as it would be in the environment.
  String value();

  /// One sentence for the settings page.
  String doc();

  /// Whether the value must never be shown.
  boolean secret() default false;

  /// The key behind the section's name, when it is not the component's name: `kafka.port`.
  String key() default "";

  /// Another environment name that sets this key too, such as `JOB_TTL_S`.
  String env() default "";
}
