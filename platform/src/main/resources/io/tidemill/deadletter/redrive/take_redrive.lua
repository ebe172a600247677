#!lua flags=allow-oom
-- Takes the lease on a redrive that has none, or whose lease has expired.
-- ARGV 1 key prefix of redrives, 2 lease (ms), 3 time to live (ms)
-- Returns {id, fence} | {}
--#include redrive_lease.lua
local now = now_ms()
for _, id in ipairs(redis.call('ZRANGEBYSCORE', DUE, '-inf', now, 'LIMIT', 0, 50)) do
  local key = ARGV[1] .. id
  if redis.call('HGET', key, 'state') ~= 'running' then
    redis.call('ZREM', DUE, id)
  else
    for _, part in ipairs({ '', ':letters', ':results' }) do redis.call('PEXPIRE', key .. part, ARGV[3]) end
    redis.call('ZADD', DUE, now + ARGV[2], id)
    return { id, redis.call('HINCRBY', key, 'run', 1) }
  end
end
return {}
