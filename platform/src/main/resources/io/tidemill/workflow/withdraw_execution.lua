#!lua flags=allow-oom
-- Ends an execution that could not be published, unless a processor has read it after all (F06, F07).
-- KEYS 1 record
-- ARGV 1 topic, 2 id, 3 now (ms), 4 error (JSON), 5 time as text, 6 type and 7 data of the event for followers
-- Returns 'withdrawn' | 'published'
--#include execution.lua
local was = redis.call('HMGET', KEYS[1], 'status', 'place', 'error')
if was[1] == 'failed' and was[3] == ARGV[4] then return 'withdrawn' end -- asked again
if was[1] ~= 'pending' or was[2] ~= '' then return 'published' end
move(ARGV[1], KEYS[1], ARGV[2], 'failed')
redis.call('HSET', KEYS[1], 'place', 'done', 'completedAt', ARGV[5], 'error', ARGV[4])
redis.call('ZADD', ARGV[1] .. ':ended', ARGV[3], ARGV[2])
redis.call('ZREM', ARGV[1] .. ':unpublished', ARGV[2])
-- The client was refused, so its key may start a new one; unless this is a retry.
if redis.call('HEXISTS', KEYS[1], 'eventAt') == 0 then redis.call('HDEL', KEYS[1], 'body') end
follow(KEYS[1], ARGV[3], ARGV[6], 'gateway.submit', ARGV[7])
return 'withdrawn'
