#!lua flags=allow-oom
-- Takes executions whose status is to be reported to a gateway (C2.4); other reporters get them when the lease is over. One
-- that is taken stays in the set, so that reports about it go out one after the other.
-- ARGV 1 topic, 2 prefix of records, 3 now (ms), 4 end of the lease (ms), 5 limit, then the fields to return
-- Returns {id, value of each field}, …
local answer = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ARGV[1] .. ':reports', '-inf', ARGV[3], 'LIMIT', 0, ARGV[5])) do
  local key = ARGV[2] .. id
  if redis.call('EXISTS', key) == 0 then
    redis.call('ZREM', ARGV[1] .. ':reports', id)
  else
    redis.call('ZADD', ARGV[1] .. ':reports', ARGV[4], id)
    local values = redis.call('HMGET', key, unpack(ARGV, 6))
    table.insert(values, 1, id)
    answer[#answer + 1] = values
  end
end
return answer
