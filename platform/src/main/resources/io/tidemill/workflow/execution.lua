-- Functions of all scripts of workflows and tasks. Redis holds for each kind (topic = 'workflows' | 'tasks'):
--   <topic>:ready    may start, by score: when it became ready, less a head start by priority
--   <topic>:timers   start later, by time (ms)
--   <topic>:running  leases, by their end (ms)
--   <topic>:ended    have ended, by time (ms)
--   <topic>:all, :of:<group>, :by:<status>, :by:<status>:<group>   for lists, by time of creation (ms)
-- and for each one a hash (its record), the stream of its events, and its outbox. The record's field `place` says
-- where it is: '' (not admitted yet), ready, timer, running, done, foreign. The fields are listed in WorkflowFields.
-- What follows from an outcome is decided in Java (WorkflowTransition, TaskTransition); scripts fence and write.
local EVENTS_KEPT = 5000

local function terminal(status)
  return status == 'completed' or status == 'failed' or status == 'canceled' or status == 'dead_letter'
end

local function put(topic, id, score, group, status)
  redis.call('ZADD', topic .. ':by:' .. status, score, id)
  redis.call('ZADD', topic .. ':by:' .. status .. ':' .. group, score, id)
end

-- Moves one from the lists of one status to those of another.
local function relist(topic, id, score, group, from, to)
  redis.call('ZREM', topic .. ':by:' .. from, id)
  redis.call('ZREM', topic .. ':by:' .. from .. ':' .. group, id)
  put(topic, id, score, group, to)
end

-- Gives one another status.
local function move(topic, key, id, status)
  local was = redis.call('HMGET', key, 'status', 'group', 'score')
  if was[1] == status then return end
  relist(topic, id, was[3], was[2], was[1], status)
  redis.call('HSET', key, 'status', status)
end

-- Records a new one; fields and values from `first` to `last` of `args`, which win over those set here.
local function note(topic, key, id, score, group, place, args, first, last)
  redis.call('HSET', key, 'status', 'pending', 'place', place, 'run', 0, 'takes', 0, 'score', score, 'group', group,
    unpack(args, first, last))
  redis.call('ZADD', topic .. ':all', score, id)
  redis.call('ZADD', topic .. ':of:' .. group, score, id)
  put(topic, id, score, group, 'pending')
end

local function follow(key, now, kind, step, data)
  redis.call('XADD', key .. ':events', 'MAXLEN', '~', EVENTS_KEPT, '*', 'type', kind, 'ts', now, 'step', step, 'data', data)
end

local function queue(topic, id, at, boost)
  redis.call('ZADD', topic .. ':ready', at - (tonumber(boost) or 0), id)
end

local function ready(topic, key, id, at)
  redis.call('HSET', key, 'place', 'ready')
  queue(topic, id, at, redis.call('HGET', key, 'boost'))
end

-- Removes one from all queues.
local function dequeue(topic, id)
  redis.call('ZREM', topic .. ':ready', id)
  redis.call('ZREM', topic .. ':timers', id)
  redis.call('ZREM', topic .. ':running', id)
end
