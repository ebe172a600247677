#!lua flags=allow-oom
-- Notes what became of a letter; of a canceled run, too, for it is done.
-- KEYS 1 run, 2 its results
-- ARGV 1 id, 2 run, 3 lease (ms), 4 number of the letter, 5 redriven | discarded | failed | skipped, 6 result, 7 kept (ms)
-- Returns 'go' | 'done' | 'canceled' | 'fenced'
--#include redrive_lease.lua
local key = KEYS[1]
if not held(key, ARGV[2]) or redis.call('HGET', key, 'next') ~= ARGV[4] then return 'fenced' end
local now = now_ms()
redis.call('RPUSH', KEYS[2], (string.gsub(ARGV[6], '}$', ',"at":' .. string.format('%d', now) .. '}')))
redis.call('PEXPIRE', KEYS[2], ARGV[7])
redis.call('HINCRBY', key, ARGV[5], 1)
redis.call('HDEL', key, 'doing', 'mark', 'trouble')
local next = redis.call('HINCRBY', key, 'next', 1)
if redis.call('HGET', key, 'state') ~= 'running' then return 'canceled' end
if next >= tonumber(redis.call('HGET', key, 'total')) then
  redis.call('HSET', key, 'state', 'done', 'endedAt', now)
  redis.call('ZREM', DUE, ARGV[1])
  return 'done'
end
redis.call('ZADD', DUE, 'XX', now + ARGV[3], ARGV[1])
return 'go'
