#!lua flags=allow-oom
-- Removes a dead entry and the notes about it.
-- KEYS 1 dead stream, 2 notes of what was redriven, 3 notes of what was discarded
-- ARGV 1 dead entry
-- Returns 1 | 0 when it was not there
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
return redis.call('XDEL', KEYS[1], ARGV[1])
