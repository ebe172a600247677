#!lua
-- Admits one job, once (C3.2, C3.3, C3.4). Running it twice with the same id makes one job.
-- KEYS 1 job hash, 2 job events, 3 queue stream, 4 idempotency key (only when the client sent one)
-- ARGV 1 job id, 2 task, 3 payload, 4 now (ms), 5 ttl (s), 6 most waiting jobs, 7 group,
--      8 traceparent or '', 9 the client's idempotency key or '', 10 prefix of job hashes,
--      11 step of the first event
-- Returns {'created'} | {'known', id, task, payload, ttl} | {'full', waiting}
--#include enqueue.lua
if redis.call('EXISTS', KEYS[1]) == 1 then return { 'created' } end

if KEYS[4] then
  local known = redis.call('GET', KEYS[4])
  if known then
    local job = redis.call('HMGET', ARGV[10] .. known, 'task', 'payload', 'ttl_s')
    -- The key counts as long as its job does.
    if job[1] then return { 'known', known, job[1], job[2], job[3] } end
  end
end

-- The length is an upper bound of what waits; only at the limit is it worth counting exactly.
local limit = tonumber(ARGV[6])
local length = redis.call('XLEN', KEYS[3])
if length >= limit then
  local waiting = length
  for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[3])) do
    local info = {}
    for i = 1, #group, 2 do info[group[i]] = group[i + 1] end
    if info['name'] == ARGV[7] and info['lag'] then waiting = info['pending'] + info['lag'] end
  end
  if waiting >= limit then return { 'full', waiting } end
end

if KEYS[4] then redis.call('SET', KEYS[4], ARGV[1], 'EX', ARGV[5]) end
enqueue(KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[11],
  ARGV[8], ARGV[9])
return { 'created' }
