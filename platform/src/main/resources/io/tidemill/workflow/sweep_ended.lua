#!lua flags=allow-oom
-- Deletes executions that ended long ago.
-- ARGV 1 topic, 2 prefix of records, 3 ended before (ms), 4 most, 5 '1' when the caller deletes their objects in the
--      object store; else those with objects are kept
-- Returns {count, objects of each, …}
local topic = ARGV[1]
local function forget(key, id, was)
  redis.call('ZREM', topic .. ':ended', id)
  redis.call('ZREM', topic .. ':all', id)
  redis.call('ZREM', topic .. ':reports', id)
  if was[1] then
    redis.call('ZREM', topic .. ':of:' .. was[2], id)
    redis.call('ZREM', topic .. ':by:' .. was[1], id)
    redis.call('ZREM', topic .. ':by:' .. was[1] .. ':' .. was[2], id)
  end
  redis.call('DEL', key, key .. ':events', key .. ':outbox')
end

local answer = { 0 }
local old = redis.call('ZRANGEBYSCORE', topic .. ':ended', '-inf', ARGV[3], 'LIMIT', 0, ARGV[4])
for _, id in ipairs(old) do
  local key = ARGV[2] .. id
  local was = redis.call('HMGET', key, 'status', 'group', 'shelf')
  if not was[3] or ARGV[5] == '1' then
    if was[3] then answer[#answer + 1] = was[3] end
    answer[1] = answer[1] + 1
    forget(key, id, was)
  end
end
return answer
