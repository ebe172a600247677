#!lua flags=allow-oom
-- Notes that a consumer is alive, and forgets those that have not said so for long. When somebody last did a task is
-- remembered for longer, under :seen ('*' stands for all tasks): whoever is only started again is missed by nobody.
-- Who ever said so is remembered under :ours, so that nobody takes what is left of it in Redis' books for one of another make.
-- KEYS 1 stream
-- ARGV 1 consumer, 2 how long that counts (ms), 3 the tasks that it does, or '' for all, 4 how long a task is
--      remembered (ms)
-- Returns how many of those alive do not do all tasks
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
