/// What can be told from a text alone: its language, feeling, keywords and near copies.
@NullMarked
package io.tidemill.text;

import org.jspecify.annotations.NullMarked;
