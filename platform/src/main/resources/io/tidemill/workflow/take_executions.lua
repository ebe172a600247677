#!lua flags=allow-oom
-- Leases executions that may start (C2.7). Those with an expired lease, and timers that are due, may start, too; those that
-- had begun come first.
-- ARGV 1 topic, 2 prefix of records, 3 owner, 4 limit, 5 now (ms), 6 lease (ms)
-- Returns {time of the next that is due or '', {id, run, record, outbox}, …}
--#include execution.lua
local topic, prefix, now = ARGV[1], ARGV[2], tonumber(ARGV[5])
local SWEEP = 500

for _, id in ipairs(redis.call('ZRANGEBYSCORE', topic .. ':timers', '-inf', now, 'LIMIT', 0, SWEEP)) do
  redis.call('ZREM', topic .. ':timers', id)
  if redis.call('EXISTS', prefix .. id) == 1 then ready(topic, prefix .. id, id, now) end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', topic .. ':running', '-inf', now, 'LIMIT', 0, SWEEP)) do
  redis.call('ZREM', topic .. ':running', id)
  if redis.call('EXISTS', prefix .. id) == 1 then ready(topic, prefix .. id, id, 0) end
end

local answer = { '' }
local popped = redis.call('ZPOPMIN', topic .. ':ready', ARGV[4])
for i = 1, #popped, 2 do
  local id = popped[i]
  local key = prefix .. id
  local was = redis.call('HMGET', key, 'run', 'takes', 'owner', 'status')
  if was[1] then
    local run = was[1] + 1
    -- An owner that takes its own execution again has not died over it.
    local takes = tonumber(was[2] or 0) + (was[3] == ARGV[3] and 0 or 1)
    redis.call('HSET', key, 'run', run, 'takes', takes, 'place', 'running', 'owner', ARGV[3])
    redis.call('ZADD', topic .. ':running', now + ARGV[6], id)
    local isNew = was[1] == '0' and was[4] == 'pending' -- no event was recorded yet
    local outbox = isNew and {} or redis.call('LRANGE', key .. ':outbox', 0, -1)
    answer[#answer + 1] = { id, run, redis.call('HGETALL', key), outbox }
  end
end
for _, set in ipairs({ ':timers', ':running' }) do
  local first = redis.call('ZRANGE', topic .. set, 0, 0, 'WITHSCORES')
  if first[2] and (answer[1] == '' or tonumber(first[2]) < tonumber(answer[1])) then answer[1] = first[2] end
end
return answer
