-- What steps of workflows stored for analysis, by the source that stored it.
CREATE TABLE IF NOT EXISTS records (
  source VARCHAR NOT NULL,
  position BIGINT NOT NULL,
  stored_at TIMESTAMP NOT NULL,
  record JSON NOT NULL);

-- A source that stored nothing is known all the same.
CREATE TABLE IF NOT EXISTS sources (source VARCHAR NOT NULL, stored_at TIMESTAMP NOT NULL);
