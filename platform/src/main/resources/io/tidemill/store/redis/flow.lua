-- What all scripts of workflows and tasks share. Redis holds of each kind (topic = 'workflows' | 'tasks'):
--   <topic>:ready    what may start, by score: when it became ready, less a head start by priority
--   <topic>:timers   what starts later, by time (ms)
--   <topic>:running  what somebody holds, by the end of the lease (ms)
--   <topic>:ended    what has ended, by time (ms)
--   <topic>:all, :of:<group>, :by:<status>, :by:<status>:<group>   for lists, by time of creation (ms)
-- and of each one a hash (its record), the stream of its events, and its outbox. The record's field `place` says
-- where it is: '' (not admitted yet), ready, timer, running, done.
local EVENTS_KEPT = 5000

local function terminal(status)
  return status == 'completed' or status == 'failed' or status == 'canceled' or status == 'dead_letter'
end

local function put(topic, id, score, group, status)
  redis.call('ZADD', topic .. ':by:' .. status, score, id)
  redis.call('ZADD', topic .. ':by:' .. status .. ':' .. group, score, id)
end

-- Moves one from the lists of its status to those of another.
local function move(topic, key, id, status)
  local was = redis.call('HMGET', key, 'status', 'group', 'score')
  if was[1] == status then return end
  redis.call('ZREM', topic .. ':by:' .. was[1], id)
  redis.call('ZREM', topic .. ':by:' .. was[1] .. ':' .. was[2], id)
  put(topic, id, was[3], was[2], status)
  redis.call('HSET', key, 'status', status)
end

-- Notes one that was not there; fields and values from `first` to `last` of `args`.
local function note(topic, key, id, score, group, args, first, last)
  redis.call('HSET', key, 'status', 'pending', 'place', '', 'run', 0, 'takes', 0, 'score', score, 'group', group,
    unpack(args, first, last))
  redis.call('ZADD', topic .. ':all', score, id)
  redis.call('ZADD', topic .. ':of:' .. group, score, id)
  put(topic, id, score, group, 'pending')
end

local function tell(key, now, kind, step, data)
  redis.call('XADD', key .. ':events', 'MAXLEN', '~', EVENTS_KEPT, '*', 'type', kind, 'ts', now, 'step', step, 'data', data)
end

local function ready(topic, key, id, at)
  local boost = tonumber(redis.call('HGET', key, 'boost')) or 0
  redis.call('HSET', key, 'place', 'ready')
  redis.call('ZADD', topic .. ':ready', at - boost, id)
end

-- Takes one from wherever it waits.
local function lift(topic, id)
  redis.call('ZREM', topic .. ':ready', id)
  redis.call('ZREM', topic .. ':timers', id)
  redis.call('ZREM', topic .. ':running', id)
end
