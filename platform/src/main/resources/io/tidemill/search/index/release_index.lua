#!lua flags=allow-oom
-- Notes that an indexer stops; the index stays the one in use.
-- KEYS 1 the index in use
-- ARGV 1 who held it
-- Returns 1, or 0 when another one holds it
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'holder', '', 'seen', time[1] * 1000 + math.floor(time[2] / 1000))
return 1
