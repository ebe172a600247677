/// Records as files for other programs: CSV, NDJSON, Parquet, XLSX.
@NullMarked
package io.tidemill.processor.export;

import org.jspecify.annotations.NullMarked;
