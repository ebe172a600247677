/// Settings: records say which keys exist; file, environment and command line say their values.
@NullMarked
package io.tidemill.config;

import org.jspecify.annotations.NullMarked;
