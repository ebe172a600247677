#!lua flags=allow-oom
-- Ends jobs: of each the state, then the terminal event; then the acknowledgements (C3.7, C3.8). Jobs that wait in
-- line for their end go to the queue.
-- KEYS 1 queue stream, 2 dead stream, then of each job: hash, events, idempotency key (the hash again
--      when there is none)
-- ARGV 1 group, 2 now (ms), 3 default ttl (s), 4 prefix of job hashes, 5 window, 6 shares, 7 '1' when any task is
--      limited, then of each job: entry, consumer, attempt, status, result,
--      error, step, data, number of fields of its dead letter (0 = none), these fields
-- Returns of each job: 'finished' | 'fenced' | 'gone' (acknowledged) | 'ended' (acknowledged) |
--         'refused ' and why
--#include check_lease.lua
--#include job_ttl.lua
--#include queue_entry.lua
--#include tenant_lines.lua
--#include release_waiting.lua
--#include note_changes.lua
local stream, group, now = KEYS[1], ARGV[1], ARGV[2]
local settled, ended = {}, {}

local function finish(job, events, idempotency, at)
  local entry = ARGV[at]
  if not held(stream, group, entry, ARGV[at + 1], ARGV[at + 2]) then return 'fenced' end
  local answer = 'finished'
  local hash = redis.call('HMGET', job, 'status', 'ttl_s', 'task')
  if terminal(hash[1]) then
    answer = 'ended'
  elseif not hash[1] and redis.call('EXISTS', job) == 0 then
    answer = 'gone'
  else
    redis.call('HSET', job, 'status', ARGV[at + 3], 'updated_ts', now, 'result', ARGV[at + 4],
      'error', ARGV[at + 5])
    redis.call('XADD', events, '*', 'type', ARGV[at + 3], 'ts', now, 'step', ARGV[at + 6],
      'data', ARGV[at + 7])
    keep(job, events, life(hash[2], ARGV[3]), idempotency ~= job and idempotency)
    ended[#ended + 1] = string.sub(job, #ARGV[4] + 1)
  end
  if ARGV[7] == '1' and hash[3] then free(stream, hash[3], string.sub(job, #ARGV[4] + 1)) end
  local letter = tonumber(ARGV[at + 8])
  if letter > 0 and answer ~= 'ended' then
    redis.call('XADD', KEYS[2], '*', unpack(ARGV, at + 9, at + 8 + letter))
  end
  settled[#settled + 1] = entry
  return answer
end

local answers = {}
local at = 8
for i = 3, #KEYS, 3 do
  -- What one job's keys hold is no other job's business.
  local ok, answer = pcall(finish, KEYS[i], KEYS[i + 1], KEYS[i + 2], at)
  if not ok then answer = 'refused ' .. tostring(type(answer) == 'table' and answer.err or answer) end
  answers[#answers + 1] = answer
  at = at + 9 + tonumber(ARGV[at + 8])
end
if #settled > 0 then redis.call('XACK', stream, group, unpack(settled)) end
changed(stream, ended)
-- An end is an end, whatever stands in the lines.
if redis.call('EXISTS', stream .. ':turns') == 1 then
  pcall(release, stream, group, ARGV[4], tonumber(ARGV[5]), ARGV[6], 64, false)
end
return answers
