#!lua flags=allow-oom
-- Sets an entry aside whose task this worker does not do, for one that does (worker.tasks). It stays pending, so it is
-- reclaimed if no worker takes it; this delivery does not count.
-- KEYS 1 queue stream, 2 job hash, 3 job events
-- ARGV 1 group, 2 entry, 3 consumer, 4 attempt, 5 task, 6 ttl of a worker's heartbeat (ms),
--      7 ttl of a task's last heartbeat (ms), 8 default ttl (s)
-- Returns 'parked' | 'fenced' | 'skipped' (acknowledged: the job is gone or has ended) | 'nobody' (no worker
--         that is alive does this task, and none has lately)
--#include check_lease.lua
--#include job_ttl.lua
--#include aside_entries.lua
local stream, group, id, attempt, task = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[4]), ARGV[5]
if not held(stream, group, id, ARGV[3], attempt) then return 'fenced' end
local hash = redis.call('HMGET', KEYS[2], 'status', 'ttl_s')
if redis.call('EXISTS', KEYS[2]) == 0 or terminal(hash[1]) then
  redis.call('XACK', stream, group, id)
  return 'skipped'
end

local function is_done_by(worker)
  if worker == ARGV[3] then return false end
  local tasks = redis.call('HGET', stream .. ':tasks', worker)
  return not tasks or string.find(tasks, ',' .. task .. ',', 1, true)
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function is_done()
  for _, worker in ipairs(redis.call('ZRANGEBYSCORE', stream .. ':consumers', now - ARGV[6], '+inf')) do
    if is_done_by(worker) then return true end
  end
  -- A worker of the task may be restarting.
  for _, seen in ipairs(redis.call('HMGET', stream .. ':seen', task, '*')) do
    if seen and now - seen < tonumber(ARGV[7]) then return true end
  end
  return false
end

if not is_done() then return 'nobody' end
redis.call('XCLAIM', stream, group, ARGV[3], 0, id, 'RETRYCOUNT', attempt - 1, 'JUSTID')
set_aside(stream, task, id, ARGV[3], attempt - 1)
-- A started job has no deadline: it is kept until another worker continues.
if hash[1] == 'running' then keep(KEYS[2], KEYS[3], life(hash[2], ARGV[8])) end
return 'parked'
