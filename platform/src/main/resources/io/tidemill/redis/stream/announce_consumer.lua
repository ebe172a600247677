#!lua flags=allow-oom
-- Records that a consumer is alive, and removes those that are not. The last announcement of a task is kept longer,
-- under :seen ('*' for all tasks), to bridge restarts. :ours has all consumers of ours of the last week, to tell their
-- remains in the group from consumers of another make.
-- KEYS 1 stream
-- ARGV 1 consumer, 2 its ttl (ms), 3 its tasks, or '' for all, 4 ttl of a task (ms)
-- Returns the number of consumers alive that do not do all tasks
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local alive = KEYS[1] .. ':consumers'
redis.call('ZADD', alive, now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', alive, '-inf', now - ARGV[2])
redis.call('PEXPIRE', alive, ARGV[2])
local ours, WEEK = KEYS[1] .. ':ours', 7 * 24 * 3600 * 1000
redis.call('ZADD', ours, now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', ours, '-inf', now - WEEK)
redis.call('PEXPIRE', ours, WEEK)
local tasks = KEYS[1] .. ':tasks'
if ARGV[3] ~= '' then
  redis.call('HSET', tasks, ARGV[1], ARGV[3])
else
  redis.call('HDEL', tasks, ARGV[1])
end
local seen = KEYS[1] .. ':seen'
for task in string.gmatch(ARGV[3] ~= '' and ARGV[3] or '*', '[^,]+') do redis.call('HSET', seen, task, now) end
redis.call('PEXPIRE', seen, ARGV[4])
local some = 0
for _, consumer in ipairs(redis.call('HKEYS', tasks)) do
  if redis.call('ZSCORE', alive, consumer) then
    some = some + 1
  else
    redis.call('HDEL', tasks, consumer)
  end
end
return some
