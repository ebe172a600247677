#!lua flags=allow-oom
-- Puts workflows or tasks whose `created` event was read into the queue, each once however often it is read.
-- ARGV 1 topic, 2 prefix of records, 3 now (ms), 4 channel that announces work, then for each: id, created (ms), group,
--      partition, offset, head start (ms), when to continue what a foreign processor left (ms), step, type and data of the first event, number of fields and values, these
-- Returns for each 'admitted' | 'known'
--#include execution.lua
local topic, prefix, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
local answers, at, any = {}, 5, false
while at <= #ARGV do
  local id, fields = ARGV[at], tonumber(ARGV[at + 10])
  local key = prefix .. id
  local was = redis.call('HMGET', key, 'status', 'place', 'boost')
  local answer = 'admitted'
  if not was[1] then
    note(topic, key, id, ARGV[at + 1], ARGV[at + 2], 'ready', ARGV, at + 11, at + 10 + fields)
    follow(key, now, ARGV[at + 8], ARGV[at + 7], ARGV[at + 9])
    queue(topic, id, now, ARGV[at + 5])
  else
    redis.call('ZREM', topic .. ':unpublished', id)
    if was[1] == 'pending' and was[2] == '' then
      redis.call('HSET', key, 'partition', ARGV[at + 3], 'mark', ARGV[at + 4], 'place', 'ready')
      queue(topic, id, now, was[3])
    else
      -- Canceled, or begun by a foreign processor, before its event was read: all its events belong into this partition.
      redis.call('HSETNX', key, 'partition', ARGV[at + 3])
      redis.call('HSETNX', key, 'mark', ARGV[at + 4])
      answer = 'known'
      -- A foreign processor began with it and the event comes again: without a further report we begin again.
      if was[2] == 'foreign' and not terminal(was[1]) then
        redis.call('HSET', key, 'place', 'timer', 'currentStepIndex', 0)
        move(topic, key, id, 'pending')
        redis.call('ZADD', topic .. ':timers', ARGV[at + 6], id)
      end
    end
  end
  any = any or answer == 'admitted'
  answers[#answers + 1] = answer
  at = at + 11 + fields
end
if any then redis.call('PUBLISH', ARGV[4], 'ready') end
return answers
