#!lua flags=allow-oom
-- Reads new entries and starts their jobs (C3.7), so that a busy worker needs one call for many jobs. First it
-- releases waiting jobs and takes entries that other workers set aside for this one.
-- KEYS 1 queue stream
-- ARGV 1 group, 2 consumer, 3 most, 4 now (ms), 5 step, 6 default ttl (s), 7 prefix of a job's hash,
--      8 suffix of its events, 9 prefix of an idempotency key, 10 window, 11 shares, 12 tasks of this
--      worker, a comma before and behind each, or '' for all
-- Returns {entry, fields, verdict, ttl, attempt} of each; verdict: 'run' | 'skipped' (acknowledged: the
--         job expired or has ended) | 'read' (anything else: start_job.lua or set_entry_aside.lua decides)
--#include check_lease.lua
--#include job_ttl.lua
--#include /io/tidemill/redis/recent_members.lua
--#include queue_entry.lua
--#include tenant_lines.lua
--#include release_waiting.lua
--#include aside_entries.lua
local stream, group, consumer, most, now = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local over, started, answers = {}, {}, {}

local function does(task) return ARGV[12] == '' or string.find(ARGV[12], ',' .. task .. ',', 1, true) end

local function take(entry, attempt, id, idempotency)
  local job = ARGV[7] .. id
  local events = job .. ARGV[8]
  local hash = redis.call('HMGET', job, 'status', 'ttl_s')
  local status, ttl = hash[1], life(hash[2], ARGV[6])
  if status == 'queued' then
    redis.call('HSET', job, 'status', 'running', 'updated_ts', now)
    redis.call('XADD', events, '*', 'type', 'running', 'ts', now, 'step', ARGV[5], 'data',
      '{"attempt":' .. attempt .. ',"entry":"' .. entry .. '","worker":"' .. consumer .. '"}')
    keep(job, events, ttl, idempotency and ARGV[9] .. idempotency)
    started[#started + 1] = id
    return 'run', ttl
  end
  if terminal(status) or (not status and redis.call('EXISTS', job) == 0) then
    over[#over + 1] = entry
    return 'skipped', 0
  end
  return 'read', 0
end

local function answer(entry, attempt, flat)
  local fields = {}
  for i = 1, #flat, 2 do fields[flat[i]] = flat[i + 1] end
  local id, task = fields['job_id'], fields['task']
  local verdict, ttl = 'read', 0
  if id and task and fields['payload'] and #id <= 128 and string.find(id, '^[%w._-]+$') and does(task) then
    -- Bad keys of one job must not fail the others.
    local ok, taken, life = pcall(take, entry, attempt, id, fields['idempotency_key'])
    if ok then verdict, ttl = taken, life end
  end
  answers[#answers + 1] = { entry, flat, verdict, ttl, attempt }
end

-- Entries that were set aside for workers like this one, the oldest first; see set_entry_aside.lua.
local function take_aside()
  local places = {}
  for _, task in ipairs(redis.call('SMEMBERS', stream .. ':aside')) do
    for _, place in ipairs(does(task) and redis.call('ZRANGE', aside_key(stream, task), 0, most - 1) or {}) do
      places[#places + 1] = { task, place, tonumber(string.match(place, '^%d+')), #places }
    end
  end
  table.sort(places, function(a, b) return a[3] < b[3] or (a[3] == b[3] and a[4] < b[4]) end)
  for _, it in ipairs(places) do
    if #answers >= most then return end
    local is_there, id, attempt = is_aside(stream, group, it[2])
    no_longer_aside(stream, it[1], it[2])
    if is_there then
      local found = redis.call('XRANGE', stream, id, id)
      redis.call('XCLAIM', stream, group, consumer, 0, id, 'RETRYCOUNT', attempt + 1, 'JUSTID')
      if found[1] then answer(id, attempt + 1, found[1][2]) end
    end
  end
end

if redis.call('EXISTS', stream .. ':turns', stream .. ':aside') > 0 then
  pcall(release, stream, group, ARGV[7], tonumber(ARGV[10]), ARGV[11], 128, false)
  take_aside()
end
if #answers < most then
  local reply = redis.call('XREADGROUP', 'GROUP', group, consumer, 'COUNT', most - #answers, 'STREAMS', stream, '>')
  for _, new in ipairs(reply and reply[1][2] or {}) do answer(new[1], 1, new[2]) end
end
if #started > 0 and redis.call('ZREM', stream .. ':deadlines', unpack(started)) < #started then
  -- Our jobs have a deadline; jobs of another make are seen here for the first time.
  for _, id in ipairs(started) do
    remember(stream .. ':recent', redis.call('HGET', ARGV[7] .. id, 'created_ts') or now, id)
  end
end
if #over > 0 then redis.call('XACK', stream, group, unpack(over)) end
return answers
