-- Counts one more failed attempt; a count is forgotten a while after its last change.
-- KEYS 1 the count; ARGV 1 how long it is kept (ms)
-- Returns the count
local count = redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return count
