#!lua
-- Admits one job, once (C3.2, C3.3, C3.4). Running it twice with the same id makes one job.
-- KEYS 1 job hash, 2 job events, 3 queue stream, 4 idempotency key (only when the client sent one)
-- ARGV 1 job id, 2 task, 3 payload, 4 now (ms), 5 ttl (s), 6 most waiting jobs, 7 group,
--      8 traceparent or '', 9 the client's idempotency key or '', 10 prefix of job hashes,
--      11 step of the first event, 12 tenant, 13 window, 14 shares, 15 '1' when the task is limited
-- Returns {'created'} | {'waiting'} (created, in line) | {'known', id, task, payload, ttl} | {'full', waiting}
--#include queue_entry.lua
--#include tenant_lines.lua
--#include release_waiting.lua
--#include /io/tidemill/redis/recent_members.lua
--#include note_changes.lua
--#include enqueue_job.lua
if redis.call('EXISTS', KEYS[1]) == 1 then return { 'created' } end

if KEYS[4] then
  local known = redis.call('GET', KEYS[4])
  if known then
    local job = redis.call('HMGET', ARGV[10] .. known, 'task', 'payload', 'ttl_s')
    -- The key is free when its job has expired.
    if job[1] then return { 'known', known, job[1], job[2], job[3] } end
  end
end

-- The length is an upper bound of waiting and running jobs; only at the limit are they counted.
local limit = tonumber(ARGV[6])
local length, in_line = redis.call('XLEN', KEYS[3]), redis.call('HLEN', KEYS[3] .. ':waiting')
if length + in_line >= limit then
  local unread, pending = depths(KEYS[3], ARGV[7])
  local waiting = unread + pending + in_line
  if waiting >= limit then return { 'full', waiting } end
end

if KEYS[4] then redis.call('SET', KEYS[4], ARGV[1], 'EX', ARGV[5]) end
local waits = enqueue(KEYS[1], KEYS[2], KEYS[3], length, in_line, {
  id = ARGV[1], task = ARGV[2], payload = ARGV[3], now = ARGV[4], ttl = ARGV[5], group = ARGV[7],
  trace = ARGV[8], key = ARGV[9], prefix = ARGV[10], step = ARGV[11], tenant = ARGV[12],
  window = ARGV[13], shares = ARGV[14], limited = ARGV[15] })
return { waits and 'waiting' or 'created' }
