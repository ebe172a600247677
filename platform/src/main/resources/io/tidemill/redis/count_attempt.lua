-- Counts one more failed attempt.
-- KEYS 1 the count; ARGV 1 ttl (ms)
-- Returns the count
local count = redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return count
