#!lua flags=allow-oom
-- Keeps running jobs from expiring, and tells how each stands.
-- KEYS job hash, job events and idempotency key (the hash again when there is none) of each job
-- ARGV 1 default ttl (s)
-- Returns the status of each, 'gone' for a job that expired
--#include life.lua
local answers = {}
for i = 1, #KEYS, 3 do
  local hash = redis.call('HMGET', KEYS[i], 'status', 'ttl_s')
  answers[#answers + 1] = hash[1] or 'gone'
  if hash[1] == 'running' then
    local ttl = life(hash[2], ARGV[1])
    redis.call('EXPIRE', KEYS[i], ttl)
    redis.call('EXPIRE', KEYS[i + 1], ttl)
    redis.call('EXPIRE', KEYS[i + 2], ttl)
  end
end
return answers
