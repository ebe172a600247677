#!lua flags=allow-oom
-- Begins a failed or canceled execution again; its `created` event is to be published again (C2.4).
-- KEYS 1 record
-- ARGV 1 topic, 2 id, 3 now (ms), 4 when another gateway may publish it (ms), 5 type and 6 data of the event for followers,
--      7 number of fields and values, these, then fields to remove
-- Returns {'reset'} | {'not', status} | {'ending'} | {'gone'}
--#include execution.lua
local was = redis.call('HMGET', KEYS[1], 'status', 'place')
if not was[1] then return { 'gone' } end
if not terminal(was[1]) or was[1] == 'completed' then return { 'not', was[1] } end
if was[2] ~= 'done' then return { 'ending' } end
local fields = tonumber(ARGV[7])
redis.call('HSET', KEYS[1], 'place', '', 'takes', 0, unpack(ARGV, 8, 7 + fields))
redis.call('HINCRBY', KEYS[1], 'lives', 1)
redis.call('HDEL', KEYS[1], unpack(ARGV, 8 + fields))
move(ARGV[1], KEYS[1], ARGV[2], 'pending')
redis.call('ZREM', ARGV[1] .. ':ended', ARGV[2])
redis.call('ZADD', ARGV[1] .. ':unpublished', ARGV[4], ARGV[2])
-- Followers of this run do not get the events of the last one.
redis.call('DEL', KEYS[1] .. ':events')
follow(KEYS[1], ARGV[3], ARGV[5], 'gateway.retry', ARGV[6])
return { 'reset' }
