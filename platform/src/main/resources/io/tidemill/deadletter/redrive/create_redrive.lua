#!lua
-- Begins a redrive run whose letters are written already. Running it twice with the same id makes one run.
-- KEYS 1 run, 2 its letters, 3 all runs
-- ARGV 1 id, 2 how long it is kept (ms), then fields and values of the run
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
