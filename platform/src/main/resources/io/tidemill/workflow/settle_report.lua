#!lua flags=allow-oom
-- Records what became of a report, unless its lease is over. What changed meanwhile is to be reported, too.
-- KEYS 1 record
-- ARGV 1 topic, 2 id, 3 end of the lease (ms), 4 number of the reported change, 5 tries so far; 0 when it is settled,
--      6 when to try again (ms)
-- Returns 1 | 0 (the lease is over)
local reports = ARGV[1] .. ':reports'
local score = redis.call('ZSCORE', reports, ARGV[2])
if not score or tonumber(score) ~= tonumber(ARGV[3]) then return 0 end
local now = redis.call('HGET', KEYS[1], 'reports')
if not now then
  redis.call('ZREM', reports, ARGV[2])
elseif ARGV[5] ~= '0' then
  redis.call('HSET', KEYS[1], 'reportTries', ARGV[5])
  redis.call('ZADD', reports, ARGV[6], ARGV[2])
else
  redis.call('HDEL', KEYS[1], 'reportTries')
  if now == ARGV[4] then
    redis.call('ZREM', reports, ARGV[2])
  else
    redis.call('ZADD', reports, 0, ARGV[2])
  end
end
return 1
