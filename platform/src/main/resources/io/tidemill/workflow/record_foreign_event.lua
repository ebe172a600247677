#!lua flags=allow-oom
-- Records the report of a foreign processor (C2.4), forwards only: whether it is ahead of the record can only be decided
-- here, atomically. An event that gateway and processor both read counts once; if the processor is second, it sets the timer.
-- KEYS 1 record
-- ARGV 1 topic, 2 id, 3 now (ms), 4 partition and offset of the event as 'p:o' or '', 5 status, 6 place or '', 7 due (ms),
--      8 type and 9 data of the event for followers, 10 channel that announces work,
--      11 number of fields and values, these, then fields to remove
-- Returns {'saved'} | {'ours'} | {'seen'} | {'behind', status} | {'ended', status} | {'gone'}
--#include execution.lua
local topic, id = ARGV[1], ARGV[2]
local was = redis.call('HMGET', KEYS[1], 'status', 'place', 'seen', 'currentStepIndex', 'retryCount')
if not was[1] then return { 'gone' } end
local last = 11 + tonumber(ARGV[11])
local again = false
if ARGV[4] ~= '' then
  local p, o = (was[3] or ''):match('^(%d+):(%d+)$')
  local np, no = ARGV[4]:match('^(%d+):(%d+)$')
  if p == np and tonumber(no) <= tonumber(o) then
    again = no == o and ARGV[6] == 'timer' and was[1] == ARGV[5] and was[2] == 'foreign'
    if not again then return { 'seen' } end
  end
  redis.call('HSET', KEYS[1], 'seen', ARGV[4])
end
if was[2] == 'running' then return { 'ours' } end
if terminal(was[1]) then return { 'ended', was[1] } end
if ARGV[5] == 'pending' and was[1] ~= 'pending' then return { 'behind', was[1] } end
-- A report without a new status does not take it from its queue.
local waits = ARGV[4] == '' and was[1] == ARGV[5] and was[2] ~= 'foreign'
if ARGV[4] == '' then
  -- Events are ordered by offset; reports over HTTP may come late.
  local counts = { currentStepIndex = tonumber(was[4] or 0), retryCount = tonumber(was[5] or 0) }
  for i = 12, last, 2 do
    local known, count = counts[ARGV[i]], tonumber(ARGV[i + 1])
    if known and count < known then return { 'behind', was[1] } end
    if known and count > known and waits then return { 'ours' } end
  end
end
if last > 11 then redis.call('HSET', KEYS[1], unpack(ARGV, 12, last)) end
if #ARGV > last then redis.call('HDEL', KEYS[1], unpack(ARGV, last + 1)) end
if waits then
  if was[1] ~= 'pending' and ARGV[8] ~= '' then follow(KEYS[1], ARGV[3], ARGV[8], 'processor', ARGV[9]) end
  return { 'saved' }
end
move(topic, KEYS[1], id, ARGV[5])
redis.call('ZREM', topic .. ':unpublished', id)
dequeue(topic, id)
if ARGV[6] == 'timer' then
  redis.call('HSET', KEYS[1], 'place', 'timer')
  redis.call('ZADD', topic .. ':timers', ARGV[7], id)
  redis.call('PUBLISH', ARGV[10], 'ready')
elseif terminal(ARGV[5]) then
  redis.call('HSET', KEYS[1], 'place', 'done')
  redis.call('HDEL', KEYS[1], 'nextRetryAt')
  redis.call('ZADD', topic .. ':ended', ARGV[3], id)
else
  redis.call('HSET', KEYS[1], 'place', 'foreign')
end
if ARGV[8] ~= '' and not again then follow(KEYS[1], ARGV[3], ARGV[8], 'processor', ARGV[9]) end
return { 'saved' }
