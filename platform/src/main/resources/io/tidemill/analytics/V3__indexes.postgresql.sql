-- DuckDB reads columns so fast that it needs none of these.
CREATE INDEX records_source ON records (source, position);
CREATE INDEX batches_project ON batches (project_id);
CREATE INDEX items_batch ON items (batch_key);
CREATE INDEX items_impact ON items (project_id, impact DESC);
CREATE INDEX items_band0 ON items (project_id, band0) WHERE duplicate_of IS NULL;
CREATE INDEX items_band1 ON items (project_id, band1) WHERE duplicate_of IS NULL;
CREATE INDEX items_band2 ON items (project_id, band2) WHERE duplicate_of IS NULL;
CREATE INDEX items_band3 ON items (project_id, band3) WHERE duplicate_of IS NULL;
CREATE INDEX failures_batch ON failures (batch_key);
CREATE INDEX failures_project ON failures (project_id);
