#!lua flags=allow-oom
-- Cancels an execution that has not ended. The decision is here because it must be atomic: the first end wins (F32). The
-- last event waits in the outbox for the processor that holds the lease, or for the next one.
-- KEYS 1 record
-- ARGV 1 topic, 2 id, 3 now (ms), 4 event to publish, 5 type and 6 data of the event for followers, 7 error (JSON),
--      8 time as text, 9 channel of cancels, 10 channel that announces work
-- Returns {'canceled', earlier status} | {'ended', status} | {'gone'}
--#include execution.lua
local topic, id, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
local was = redis.call('HMGET', KEYS[1], 'status', 'place')
if not was[1] then return { 'gone' } end
if terminal(was[1]) then return { 'ended', was[1] } end
move(topic, KEYS[1], id, 'canceled')
redis.call('HSET', KEYS[1], 'completedAt', ARGV[8], 'error', ARGV[7])
redis.call('HDEL', KEYS[1], 'nextRetryAt', 'nextAttemptAt')
redis.call('RPUSH', KEYS[1] .. ':outbox', ARGV[4])
follow(KEYS[1], now, ARGV[5], 'gateway.cancel', ARGV[6])
redis.call('ZREM', topic .. ':unpublished', id)
if was[2] == 'running' then
  redis.call('PUBLISH', ARGV[9], id)
else
  dequeue(topic, id)
  ready(topic, KEYS[1], id, 0)
  redis.call('PUBLISH', ARGV[10], 'ready')
end
return { 'canceled', was[1] }
