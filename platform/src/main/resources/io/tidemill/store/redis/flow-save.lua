#!lua flags=allow-oom
-- Writes down how it goes with what somebody holds: state, events to publish, events for followers, and where it is from now
-- on, in one step (F05). Who no longer holds it is refused; what was canceled meanwhile takes nothing but the word that its
-- events are out.
-- ARGV 1 topic, 2 prefix of records, 3 now (ms), 4 channel of those who wait for work, then for each: id, run,
--      events of the outbox that are out, mark or '', status or '', place (keep | timer | ready | done), due (ms),
--      n fields and values …, n fields to remove …, n events to publish …, n types and data for followers …
-- Returns for each 'saved' | 'fenced' | 'canceled' | 'unsent' (done was asked for, and there are events still to publish)
--         | 'open' (done was asked for, and it has not ended)
--#include flow.lua
local topic, prefix, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
local answers, at, any = {}, 5, false

local function save(id, run, out, mark, status, place, due, sets, dels, events, tells)
  local key = prefix .. id
  local was = redis.call('HMGET', key, 'run', 'place', 'status')
  if was[1] ~= run or was[2] ~= 'running' then return 'fenced' end
  if tonumber(out) > 0 then redis.call('LTRIM', key .. ':outbox', out, -1) end
  if mark ~= '' then redis.call('HSET', key, 'mark', mark) end
  if was[3] == 'canceled' and place ~= 'done' then return 'canceled' end
  if sets[2] >= sets[1] then redis.call('HSET', key, unpack(ARGV, sets[1], sets[2])) end
  if dels[2] >= dels[1] then redis.call('HDEL', key, unpack(ARGV, dels[1], dels[2])) end
  if events[2] >= events[1] then redis.call('RPUSH', key .. ':outbox', unpack(ARGV, events[1], events[2])) end
  for i = tells[1], tells[2], 2 do tell(key, now, ARGV[i], 'processor', ARGV[i + 1]) end
  if status ~= '' then move(topic, key, id, status) end
  -- It got somewhere.
  if status ~= '' or place ~= 'keep' or events[2] >= events[1] then redis.call('HSET', key, 'takes', 0) end
  if place == 'timer' then
    lift(topic, id)
    redis.call('HSET', key, 'place', 'timer')
    redis.call('ZADD', topic .. ':timers', due, id)
    any = true
  elseif place == 'ready' then
    lift(topic, id)
    ready(topic, key, id, 0)
    any = true
  elseif place == 'done' then
    if not terminal(redis.call('HGET', key, 'status')) then return 'open' end
    if redis.call('LLEN', key .. ':outbox') > 0 then return 'unsent' end
    lift(topic, id)
    redis.call('HSET', key, 'place', 'done')
    redis.call('ZADD', topic .. ':ended', now, id)
  end
  return 'saved'
end

while at <= #ARGV do
  local spans, from = {}, at + 7
  for i = 1, 4 do
    local size = tonumber(ARGV[from])
    spans[i] = { from + 1, from + size }
    from = from + 1 + size
  end
  answers[#answers + 1] = save(ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5], ARGV[at + 6],
    spans[1], spans[2], spans[3], spans[4])
  at = from
end
if any then redis.call('PUBLISH', ARGV[4], 'ready') end
return answers
