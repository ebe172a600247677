#!lua flags=allow-oom
-- Takes executions whose publication is in doubt, so that no other gateway does for a while.
-- KEYS 1 the unpublished
-- ARGV 1 now (ms), 2 when they are in doubt again (ms), 3 limit
-- Returns their ids
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], ARGV[2], id) end
return ids
