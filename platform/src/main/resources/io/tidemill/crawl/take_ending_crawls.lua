#!lua
-- Leases crawls that are to be answered; another finisher gets them when the lease is over (F05).
-- Decided here: which crawls are due.
-- ARGV 1 most, 2 lease (ms)
--#include frontier.lua
local now = now_ms()
local ids = redis.call('ZRANGEBYSCORE', ENDING, '-inf', now, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(ids) do redis.call('ZADD', ENDING, now + ARGV[2], id) end
return ids
