#!lua
-- Hands out crawls that are to be ended; another finisher gets them when this one dies (F05).
-- ARGV 1 most, 2 lease (ms)
--#include frontier.lua
local now = now_ms()
local ids = redis.call('ZRANGEBYSCORE', ENDING, '-inf', now, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(ids) do redis.call('ZADD', ENDING, now + ARGV[2], id) end
return ids
