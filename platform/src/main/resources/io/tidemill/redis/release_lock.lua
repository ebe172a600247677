#!lua
-- Ends a turn, unless it ran out and is somebody else's by now.
-- KEYS 1 turn
-- ARGV 1 holder
-- Returns 1 | 0
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
