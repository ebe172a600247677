#!lua flags=allow-oom
-- Cancels a redrive that is running.
-- KEYS 1 redrive
-- ARGV 1 id
-- Returns 'canceled' | 'unknown' | the state in which it has ended
--#include redrive_lease.lua
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return 'unknown' end
if state ~= 'running' then return state end
redis.call('HSET', KEYS[1], 'state', 'canceled', 'endedAt', now_ms())
redis.call('ZREM', DUE, ARGV[1])
return 'canceled'
