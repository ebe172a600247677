#!lua
-- Starts a redrive whose dead letters are written already. Idempotent for the same id.
-- KEYS 1 redrive, 2 its dead letters, 3 all redrives
-- ARGV 1 id, 2 time to live (ms), then fields and values of the redrive
-- Returns 1
--#include redrive_lease.lua
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
local now = now_ms()
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'state', 'running', 'startedAt', now, 'total', redis.call('LLEN', KEYS[2]),
  'next', 0, 'run', 0, 'redriven', 0, 'discarded', 0, 'failed', 0, 'skipped', 0, unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('ZADD', KEYS[3], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[2])
redis.call('ZADD', DUE, now, ARGV[1])
return 1
