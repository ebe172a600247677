#!lua flags=allow-oom
-- Settles queue entries. A job that ends: its state, then the terminal event, then the acknowledgement (C3.7, C3.8);
-- jobs that wait for a free place go to the queue. A job that does not end stays pending for another attempt.
-- KEYS 1 queue stream, 2 dead stream, then of each job: hash, events, idempotency key (the hash again
--      when there is none)
-- ARGV 1 group, 2 now (ms), 3 default ttl (s), 4 prefix of job hashes, 5 window, 6 shares, 7 '1' when any task is
--      limited, then of each job: entry, consumer, attempt, settlement, status, result, error, type, step and data of
--      the event (all '' = none), number of fields of its dead letter, these fields.
--      Settlement: 'done' | 'dead_letter' | 'retry' (the delivery counts) | 'defer' (it does not count)
-- Returns of each job: 'finished' | 'pending' | 'fenced' | 'gone' (acknowledged) | 'ended' (acknowledged; pending when
--         the settlement is 'retry' or 'defer') | {why} when Redis refused it
--#include check_lease.lua
--#include job_ttl.lua
--#include queue_entry.lua
--#include tenant_lines.lua
--#include release_waiting.lua
--#include note_changes.lua
local stream, group, now = KEYS[1], ARGV[1], ARGV[2]
local settled, ended = {}, {}

local function append(events, at)
  redis.call('XADD', events, '*', 'type', ARGV[at + 7], 'ts', now, 'step', ARGV[at + 8], 'data', ARGV[at + 9])
end

local function report(job, events, at)
  local hash = redis.call('HMGET', job, 'status', 'ttl_s')
  if hash[1] ~= ARGV[at + 4] then return 'ended' end
  append(events, at)
  keep(job, events, life(hash[2], ARGV[3]))
  return 'pending'
end

local function leave_pending(job, events, at)
  local answer = ARGV[at + 7] == '' and 'pending' or report(job, events, at)
  if ARGV[at + 3] == 'defer' then
    redis.call('XCLAIM', stream, group, ARGV[at + 1], 0, ARGV[at], 'RETRYCOUNT', ARGV[at + 2] - 1, 'JUSTID')
  end
  return answer
end

local function finish(job, events, idempotency, at)
  local answer = 'finished'
  local hash = redis.call('HMGET', job, 'status', 'ttl_s', 'task')
  if terminal(hash[1]) then
    answer = 'ended'
  elseif not hash[1] and redis.call('EXISTS', job) == 0 then
    answer = 'gone'
  else
    redis.call('HSET', job, 'status', ARGV[at + 4], 'updated_ts', now, 'result', ARGV[at + 5],
      'error', ARGV[at + 6])
    append(events, at)
    keep(job, events, life(hash[2], ARGV[3]), idempotency ~= job and idempotency)
    ended[#ended + 1] = string.sub(job, #ARGV[4] + 1)
  end
  if ARGV[7] == '1' and hash[3] then free(stream, hash[3], string.sub(job, #ARGV[4] + 1)) end
  if ARGV[at + 3] == 'dead_letter' and answer ~= 'ended' then
    redis.call('XADD', KEYS[2], '*', unpack(ARGV, at + 11, at + 10 + ARGV[at + 10]))
  end
  settled[#settled + 1] = ARGV[at]
  return answer
end

local function settle(job, events, idempotency, at)
  if not held(stream, group, ARGV[at], ARGV[at + 1], ARGV[at + 2]) then return 'fenced' end
  local is_pending = ARGV[at + 3] == 'retry' or ARGV[at + 3] == 'defer'
  if is_pending then return leave_pending(job, events, at) end
  return finish(job, events, idempotency, at)
end

local answers = {}
local at = 8
for i = 3, #KEYS, 3 do
  -- Bad keys of one job must not fail the others.
  local ok, answer = pcall(settle, KEYS[i], KEYS[i + 1], KEYS[i + 2], at)
  if not ok then answer = { tostring(type(answer) == 'table' and answer.err or answer) } end
  answers[#answers + 1] = answer
  at = at + 11 + tonumber(ARGV[at + 10])
end
if #settled > 0 then redis.call('XACK', stream, group, unpack(settled)) end
changed(stream, ended)
-- Broken lines must not undo the ends above.
if #settled > 0 and redis.call('EXISTS', stream .. ':turns') == 1 then
  pcall(release, stream, group, ARGV[4], tonumber(ARGV[5]), ARGV[6], 64, false)
end
return answers
