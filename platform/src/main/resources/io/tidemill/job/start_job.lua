#!lua flags=allow-oom
-- Starts a job for one delivery (C3.7). The same consumer may repeat it with the same time: that changes nothing more.
-- KEYS 1 queue stream, 2 job hash, 3 job events, 4 idempotency key (only when the entry names one)
-- ARGV 1 group, 2 entry, 3 consumer, 4 attempt, 5 now (ms), 6 step, 7 default ttl (s), 8 job id
-- Returns {'run', ttl, attempt: the number of this start} | {'fenced'} | {'skipped'} (acknowledged: the job expired or has ended)
--#include check_lease.lua
--#include job_ttl.lua
--#include /io/tidemill/redis/recent_members.lua
local stream, job, events = KEYS[1], KEYS[2], KEYS[3]
local group, entry, attempt = ARGV[1], ARGV[2], tonumber(ARGV[4])
if not held(stream, group, entry, ARGV[3], attempt) then return { 'fenced' } end

-- Entry, attempt, worker and time of the job's latest running event.
local function latest_start()
  local before = '+'
  while true do
    local page = redis.call('XREVRANGE', events, before, '-', 'COUNT', 50)
    for _, event in ipairs(page) do
      local fields = {}
      for i = 1, #event[2], 2 do fields[event[2][i]] = event[2][i + 1] end
      if fields['type'] == 'running' then
        local ok, data = pcall(cjson.decode, fields['data'] or '')
        if ok and type(data) == 'table' then return data['entry'], data['attempt'], data['worker'], fields['ts'] end
        return nil
      end
      before = '(' .. event[1]
    end
    if #page < 50 then return nil end
  end
end

local function skip()
  redis.call('XACK', stream, group, entry)
  return { 'skipped' }
end

local hash = redis.call('HMGET', job, 'status', 'ttl_s')
local status, ttl, number = hash[1], life(hash[2], ARGV[7]), attempt
if not status then
  if redis.call('EXISTS', job) == 0 then return skip() end
  status = 'queued'
end
if terminal(status) then return skip() end
if status ~= 'queued' then
  local owner, earlier, worker, ts = latest_start()
  if owner == entry then
    earlier = tonumber(earlier) or 0
    if worker == ARGV[3] and ts == ARGV[5] then return { 'run', ttl, earlier } end
    -- A deferred delivery does not count, but its start does: followers tell attempts apart by their number.
    number = math.max(number, earlier + 1)
  elseif owner then
    -- A second entry for one job: it runs for the first as long as that one is pending.
    local other = redis.pcall('XPENDING', stream, group, owner, owner, 1)
    if not other.err and #other == 1 then return skip() end
  elseif attempt == 1 then
    return skip()
  end
end

if redis.call('ZREM', stream .. ':deadlines', ARGV[8]) == 0 then
  -- Our jobs have a deadline; a job of another make is seen here for the first time.
  remember(stream .. ':recent', redis.call('HGET', job, 'created_ts') or ARGV[5], ARGV[8])
end
redis.call('HSET', job, 'status', 'running', 'updated_ts', ARGV[5])
redis.call('XADD', events, '*', 'type', 'running', 'ts', ARGV[5], 'step', ARGV[6], 'data',
  '{"attempt":' .. number .. ',"entry":"' .. entry .. '","worker":"' .. ARGV[3] .. '"}')
keep(job, events, ttl, KEYS[4])
return { 'run', ttl, number }
