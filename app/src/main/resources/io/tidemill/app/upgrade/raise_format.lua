#!lua flags=allow-oom
-- Notes which format the servers' data has, unless a later one is noted already.
-- KEYS 1 the stamp
-- ARGV 1 name of the format, 2 the format, 3 name of who wrote it, 4 who
-- Returns the format that is noted now
local known = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
if known > tonumber(ARGV[2]) then return known end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
return tonumber(ARGV[2])
