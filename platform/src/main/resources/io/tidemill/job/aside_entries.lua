-- Entries that workers set aside for workers that do their task (worker.tasks). Keys begin with the stream's:
--   :aside         tasks with entries
--   :aside:{task}  entry, consumer that set it aside, attempt, between tabs; the oldest entry first
-- Needs check_lease.lua.
local function aside_key(stream, task) return stream .. ':aside:' .. task end

local function set_aside(stream, task, id, consumer, attempt)
  local aside, ms = aside_key(stream, task), string.match(id, '^%d+')
  -- An earlier place of the entry is outdated.
  for _, place in ipairs(redis.call('ZRANGEBYSCORE', aside, ms, ms)) do
    if string.sub(place, 1, #id + 1) == id .. '\t' then redis.call('ZREM', aside, place) end
  end
  redis.call('ZADD', aside, ms, table.concat({ id, consumer, attempt }, '\t'))
  redis.call('SADD', stream .. ':aside', task)
end

-- Returns whether the entry is still set aside, its id and its attempt; another consumer may have reclaimed it.
local function is_aside(stream, group, place)
  local id, owner, attempt = string.match(place, '^([^\t]*)\t([^\t]*)\t([^\t]*)$')
  return held(stream, group, id, owner, attempt), id, tonumber(attempt)
end

local function no_longer_aside(stream, task, place)
  local aside = aside_key(stream, task)
  redis.call('ZREM', aside, place)
  if redis.call('EXISTS', aside) == 0 then redis.call('SREM', stream .. ':aside', task) end
end

-- Removes places of entries that were reclaimed. Some at a time.
local function remove_stale_places(stream, group)
  for _, task in ipairs(redis.call('SMEMBERS', stream .. ':aside')) do
    for _, place in ipairs(redis.call('ZRANDMEMBER', aside_key(stream, task), 50)) do
      if not is_aside(stream, group, place) then no_longer_aside(stream, task, place) end
    end
  end
end
