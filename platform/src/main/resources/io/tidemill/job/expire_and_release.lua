#!lua flags=allow-oom
-- Ends waiting jobs whose ttl runs out before a worker starts them (C3.7, F21), and moves others from their lines to the
-- queue, for workers that only read it (C3.3). Any number of processes may do so at once.
-- KEYS 1 queue stream
-- ARGV 1 group, 2 now (ms), 3 prefix of a job's hash, 4 suffix of its events, 5 window, 6 shares, 7 default ttl (s),
--      8 step, 9 grace period of a job that is to be ended (ms), 10 prefix of an idempotency key
-- Returns {jobs released, jobs ended, jobs in line, unread entries, ms until the next deadline or -1}
--#include check_lease.lua
--#include job_ttl.lua
--#include queue_entry.lua
--#include tenant_lines.lua
--#include release_waiting.lua
--#include aside_entries.lua
--#include note_changes.lua
local stream, group, prefix = KEYS[1], ARGV[1], ARGV[3]
local deadlines = stream .. ':deadlines'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- An idempotency key lives as long as its job (C3.4). It is known here only for jobs in line.
local function keep_key(id, key, ms)
  if not key or key == '' then return end
  if redis.call('GET', ARGV[10] .. key) == id then redis.call('PEXPIRE', ARGV[10] .. key, ms) end
end

local function expire(id, job, events, hash)
  local ttl = life(hash[2], ARGV[7])
  local error = '{"code":"EXPIRED","message":"nobody started the job within its ttl_s of ' .. ttl .. ' s"}'
  redis.call('HSET', job, 'status', 'error', 'updated_ts', ARGV[2], 'error', error)
  redis.call('XADD', events, '*', 'type', 'error', 'ts', ARGV[2], 'step', ARGV[8], 'data', error)
  keep(job, events, ttl)
  local _, _, _, _, key = leave(stream, id)
  keep_key(id, key, ttl * 1000)
  if hash[3] then free(stream, hash[3], id) end
  changed(stream, { id })
  return true
end

-- The first deadline of a job is after half its ttl: it extends the keys by the grace period, so that a late releaser
-- still finds them. The second deadline, marked with '!', ends the job.
local function check(place)
  local id = string.match(place, '^!?(.*)$')
  local job, events = prefix .. id, prefix .. id .. ARGV[4]
  local hash = redis.call('HMGET', job, 'status', 'ttl_s', 'task')
  -- A job that is gone must not keep its place in line.
  if not hash[1] then leave(stream, id) end
  if hash[1] ~= 'queued' then return false end
  if place ~= id then return expire(id, job, events, hash) end
  local left = redis.call('PTTL', job)
  if left < 0 then return false end
  redis.call('PEXPIRE', job, left + ARGV[9])
  redis.call('PEXPIRE', events, left + ARGV[9])
  redis.call('ZADD', deadlines, now + left, '!' .. id)
  local line = redis.call('HGET', stream .. ':waiting', id)
  if line then keep_key(id, string.match(line, '^[^\t]*\t[^\t]*\t[^\t]*\t(.*)$'), left + ARGV[9]) end
  return false
end

local expired = 0
for _, place in ipairs(redis.call('ZRANGEBYSCORE', deadlines, '-inf', now, 'LIMIT', 0, 200)) do
  redis.call('ZREM', deadlines, place)
  -- Bad keys of one job must not fail the others.
  local ok, ended = pcall(check, place)
  if ok and ended then expired = expired + 1 end
end

pcall(remove_stale_places, stream, group)
local released = 0
if redis.call('EXISTS', stream .. ':turns') == 1 then
  released = release(stream, group, prefix, tonumber(ARGV[5]), ARGV[6], 512, true)
end
local next = redis.call('ZRANGE', deadlines, 0, 0, 'WITHSCORES')[2]
return { released, expired, redis.call('HLEN', stream .. ':waiting'), (depths(stream, group)),
  next and math.max(0, math.ceil(next - now)) or -1 }
