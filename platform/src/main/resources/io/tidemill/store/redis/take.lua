#!lua flags=allow-oom
-- Reads new entries and takes their jobs in one go (C3.7): what a busy worker does instead of reading
-- first and starting each.
-- KEYS 1 queue stream
-- ARGV 1 group, 2 consumer, 3 most, 4 now (ms), 5 step, 6 default ttl (s), 7 prefix of a job's hash,
--      8 suffix of its events, 9 prefix of an idempotency key
-- Returns {entry, fields, verdict, ttl} of each; verdict: 'run' | 'over' (acknowledged: the job expired or
--         has ended) | 'read' (anything else: start.lua decides)
--#include lease.lua
--#include life.lua
local stream, group, consumer, now = KEYS[1], ARGV[1], ARGV[2], ARGV[4]
local over = {}

local function take(entry, id, idempotency)
  local job = ARGV[7] .. id
  local events = job .. ARGV[8]
  local hash = redis.call('HMGET', job, 'status', 'ttl_s')
  local status, ttl = hash[1], life(hash[2], ARGV[6])
  if status == 'queued' then
    redis.call('HSET', job, 'status', 'running', 'updated_ts', now)
    redis.call('XADD', events, '*', 'type', 'running', 'ts', now, 'step', ARGV[5], 'data',
      '{"attempt":1,"entry":"' .. entry .. '","worker":"' .. consumer .. '"}')
    keep(job, events, ttl, idempotency and ARGV[9] .. idempotency)
    return 'run', ttl
  end
  if terminal(status) or (not status and redis.call('EXISTS', job) == 0) then
    over[#over + 1] = entry
    return 'over', 0
  end
  return 'read', 0
end

local answers = {}
local reply = redis.call('XREADGROUP', 'GROUP', group, consumer, 'COUNT', ARGV[3], 'STREAMS', stream, '>')
for _, entry in ipairs(reply and reply[1][2] or {}) do
  local fields = {}
  for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
  local id = fields['job_id']
  local verdict, ttl = 'read', 0
  if id and fields['task'] and fields['payload'] and #id <= 128 and string.find(id, '^[%w._-]+$') then
    -- What one job's keys hold is no other job's business.
    local ok, taken, life = pcall(take, entry[1], id, fields['idempotency_key'])
    if ok then verdict, ttl = taken, life end
  end
  answers[#answers + 1] = { entry[1], entry[2], verdict, ttl }
end
if #over > 0 then redis.call('XACK', stream, group, unpack(over)) end
return answers
