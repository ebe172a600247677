#!lua flags=allow-oom
-- Extends the lease, and records which dead letter is about to be handled.
-- KEYS 1 redrive
-- ARGV 1 id, 2 fence, 3 lease (ms), 4 number of the dead letter or '', 5 checkpoint, 6 what it waits for or ''
-- Returns 'go' | 'canceled' | 'fenced'
--#include redrive_lease.lua
if not held(KEYS[1], ARGV[2]) then return 'fenced' end
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 'canceled' end
redis.call('ZADD', DUE, 'XX', now_ms() + ARGV[3], ARGV[1])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'doing', ARGV[4], 'mark', ARGV[5]) end
redis.call('HSET', KEYS[1], 'trouble', ARGV[6])
return 'go'
