#!lua flags=allow-oom
-- Renews the ttl of running jobs (C3.7).
-- KEYS job hash, job events and idempotency key (the hash again when there is none) of each job
-- ARGV 1 default ttl (s)
-- Returns the status of each, 'gone' for a job that expired or whose keys hold something else
--#include check_lease.lua
--#include job_ttl.lua
local function extend(job, events, idempotency)
  local hash = redis.call('HMGET', job, 'status', 'ttl_s')
  if hash[1] == 'running' then
    keep(job, events, life(hash[2], ARGV[1]), idempotency ~= job and idempotency)
  end
  return hash[1] or 'gone'
end

local answers = {}
for i = 1, #KEYS, 3 do
  local ok, status = pcall(extend, KEYS[i], KEYS[i + 1], KEYS[i + 2])
  answers[#answers + 1] = ok and status or 'gone'
end
return answers
