#!lua flags=allow-oom
-- Writes the changes of leased executions: state, events to publish, events for followers, and the next place, in one step
-- (F05). A holder without the lease is refused; of a canceled execution only the count of published events is recorded.
-- ARGV 1 topic, 2 prefix of records, 3 now (ms), 4 channel that announces work, 5 '1' when changes are to be reported to a
--      gateway (C2.4), then for each: id, run,
--      published events of the outbox, mark or '', status or '', place (keep | timer | ready | done), due (ms),
--      n fields and values …, n fields to remove …, n events to publish …, n types and data for followers …
-- Returns for each 'saved' | 'fenced' | 'canceled' | 'unsent' (done was asked for, and there are events still to publish)
--         | 'open' (done was asked for, and it has not ended)
--#include execution.lua
local topic, prefix, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
local answers, at, any = {}, 6, false

-- The number tells a reporter whether there was another change meanwhile. An earlier place in the set stays.
local function report(key, id)
  redis.call('HINCRBY', key, 'reports', 1)
  redis.call('ZADD', topic .. ':reports', 'NX', now, id)
end

local function save(id, run, out, mark, status, place, due, sets, dels, events, followed)
  local key = prefix .. id
  local was = redis.call('HMGET', key, 'run', 'place', 'status', 'group', 'score', 'boost')
  if was[1] ~= run or was[2] ~= 'running' then return 'fenced' end
  if tonumber(out) > 0 then redis.call('LTRIM', key .. ':outbox', out, -1) end
  local fields = mark == '' and {} or { 'mark', mark }
  local function set(name, value)
    fields[#fields + 1] = name
    fields[#fields + 1] = value
  end
  local answer = 'saved'
  if was[3] == 'canceled' and place ~= 'done' then
    answer = 'canceled'
    -- The step that is canceled must be known.
    for i = sets[1], sets[2], 2 do
      if ARGV[i] == 'currentStep' or ARGV[i] == 'currentStepIndex' then set(ARGV[i], ARGV[i + 1]) end
    end
  elseif status ~= '' and terminal(was[3]) then
    answer = 'fenced' -- the first end wins
  else
    for i = sets[1], sets[2], 2 do set(ARGV[i], ARGV[i + 1]) end
    if dels[2] >= dels[1] then redis.call('HDEL', key, unpack(ARGV, dels[1], dels[2])) end
    if events[2] >= events[1] then redis.call('RPUSH', key .. ':outbox', unpack(ARGV, events[1], events[2])) end
    for i = followed[1], followed[2], 2 do follow(key, now, ARGV[i], 'processor', ARGV[i + 1]) end
    if status ~= '' and status ~= was[3] then
      relist(topic, id, was[5], was[4], was[3], status)
      set('status', status)
      was[3] = status
    end
    -- Progress: earlier holders did not die over this part.
    if status ~= '' or place ~= 'keep' or events[2] >= events[1] then set('takes', 0) end
    if place == 'done' then
      if not terminal(was[3]) then
        answer = 'open'
      elseif redis.call('LLEN', key .. ':outbox') > 0 then
        answer = 'unsent'
      end
    end
    if place ~= 'keep' and answer == 'saved' then
      redis.call('ZREM', topic .. ':running', id)
      set('place', place)
      if place == 'timer' then redis.call('ZADD', topic .. ':timers', due, id) end
      if place == 'ready' then queue(topic, id, 0, was[6]) end
      if place == 'done' then redis.call('ZADD', topic .. ':ended', now, id) else any = true end
    end
  end
  if #fields > 0 then redis.call('HSET', key, unpack(fields)) end
  if ARGV[5] == '1' and answer == 'saved' then
    -- A cancel is not a change of the holder's; it is reported when the holder lets it end.
    local canceled = place == 'done' and was[3] == 'canceled'
    if status ~= '' or events[2] >= events[1] or canceled then report(key, id) end
  end
  return answer
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
