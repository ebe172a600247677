-- Entries that workers laid aside for one another (worker.tasks). Every name begins with the stream's:
--   :aside         tasks of which there are any
--   :aside:{task}  entry, who laid it aside, attempt, between tabs; the oldest entry first
-- Needs check_lease.lua.
local function aside_key(stream, task) return stream .. ':aside:' .. task end

local function lay_aside(stream, task, id, consumer, attempt)
  local aside, ms = aside_key(stream, task), string.match(id, '^%d+')
  -- Where it was laid aside before is no longer true.
  for _, place in ipairs(redis.call('ZRANGEBYSCORE', aside, ms, ms)) do
    if string.sub(place, 1, #id + 1) == id .. '\t' then redis.call('ZREM', aside, place) end
  end
  redis.call('ZADD', aside, ms, table.concat({ id, consumer, attempt }, '\t'))
  redis.call('SADD', stream .. ':aside', task)
end

-- Returns whether the entry is still where it was laid aside, its id and its attempt. Somebody else may have it by now,
-- whose lease ran out or not.
local function is_aside(stream, group, place)
  local id, owner, attempt = string.match(place, '^([^\t]*)\t([^\t]*)\t([^\t]*)$')
  return held(stream, group, id, owner, attempt), id, tonumber(attempt)
end

local function no_longer_aside(stream, task, place)
  local aside = aside_key(stream, task)
  redis.call('ZREM', aside, place)
  if redis.call('EXISTS', aside) == 0 then redis.call('SREM', stream .. ':aside', task) end
end

-- Forgets places of entries that came to their worker another way. Some at a time.
local function forget_places(stream, group)
  for _, task in ipairs(redis.call('SMEMBERS', stream .. ':aside')) do
    for _, place in ipairs(redis.call('ZRANDMEMBER', aside_key(stream, task), 50)) do
      if not is_aside(stream, group, place) then no_longer_aside(stream, task, place) end
    end
  end
end
