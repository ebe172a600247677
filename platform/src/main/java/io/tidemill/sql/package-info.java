/// The databases that analytics can live in: DuckDB inside the process, or PostgreSQL.
@NullMarked
package io.tidemill.sql;

import org.jspecify.annotations.NullMarked;
