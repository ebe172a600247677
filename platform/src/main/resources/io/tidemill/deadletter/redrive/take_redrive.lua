#!lua flags=allow-oom
-- Takes a redrive run that nobody works on, or whose worker went silent.
-- ARGV 1 prefix of runs, 2 lease (ms), 3 how long it is kept (ms)
-- Returns {id, run} | {}
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
