/// JSONata expressions and patterns of users, bounded in time, depth and size (F50).
@NullMarked
package io.tidemill.processor.expression;

import org.jspecify.annotations.NullMarked;
