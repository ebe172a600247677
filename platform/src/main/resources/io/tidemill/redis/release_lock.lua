#!lua
-- Releases a lock, unless it expired and has another holder.
-- KEYS 1 lock
-- ARGV 1 holder
-- Returns 1 | 0
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
