@NullMarked
package io.tidemill.app.upgrade;

import org.jspecify.annotations.NullMarked;
