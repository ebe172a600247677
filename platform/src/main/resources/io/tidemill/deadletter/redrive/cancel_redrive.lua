#!lua flags=allow-oom
-- Ends a redrive run before its time.
-- KEYS 1 run
-- ARGV 1 id
-- Returns 'canceled' | 'unknown' | the state in which it was
--#include redrive_lease.lua
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return 'unknown' end
if state ~= 'running' then return state end
redis.call('HSET', KEYS[1], 'state', 'canceled', 'endedAt', now_ms())
redis.call('ZREM', DUE, ARGV[1])
return 'canceled'
