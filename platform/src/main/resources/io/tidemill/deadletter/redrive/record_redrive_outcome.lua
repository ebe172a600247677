#!lua flags=allow-oom
-- Records the outcome of a dead letter, also of a redrive that was canceled meanwhile.
-- KEYS 1 redrive, 2 its results
-- ARGV 1 id, 2 fence, 3 lease (ms), 4 number of the dead letter, 5 redriven | discarded | failed | skipped, 6 result,
--      7 time to live (ms), 8 '1' when it is the last dead letter
-- Returns 'go' | 'done' | 'canceled' | 'fenced'
--#include redrive_lease.lua
local key = KEYS[1]
if not held(key, ARGV[2]) or redis.call('HGET', key, 'next') ~= ARGV[4] then return 'fenced' end
local now = now_ms()
redis.call('RPUSH', KEYS[2], (string.gsub(ARGV[6], '}$', ',"at":' .. string.format('%d', now) .. '}')))
redis.call('PEXPIRE', KEYS[2], ARGV[7])
redis.call('HINCRBY', key, ARGV[5], 1)
redis.call('HDEL', key, 'doing', 'mark', 'trouble')
redis.call('HINCRBY', key, 'next', 1)
if redis.call('HGET', key, 'state') ~= 'running' then return 'canceled' end
if ARGV[8] == '1' then
  redis.call('HSET', key, 'state', 'done', 'endedAt', now)
  redis.call('ZREM', DUE, ARGV[1])
  return 'done'
end
redis.call('ZADD', DUE, 'XX', now + ARGV[3], ARGV[1])
return 'go'
