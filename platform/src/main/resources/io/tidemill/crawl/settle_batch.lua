#!lua flags=allow-oom
-- Notes that a batch is stored and announced, and makes the next one due.
-- Decided here: whether this is still the next batch, and whether another one is due.
-- ARGV 1 crawl, 2 number of the batch, 3 its pages, 4 pages of a full batch
-- Returns 1 | 0 (another crawler noted it before)
--#include frontier.lua
local crawl = ARGV[1]
local key = 'crawl:' .. crawl
local items = key .. ':items'
if (redis.call('HGET', key, 'batches') or '0') ~= ARGV[2] then return 0 end
redis.call('LTRIM', items, ARGV[3], -1)
local life = redis.call('TTL', key)
redis.call('HINCRBY', key, 'batches', 1)
if life == -2 then redis.call('EXPIRE', key, 3600) end
local left = redis.call('LLEN', items)
local state = redis.call('HGET', key, 'state')
if left >= tonumber(ARGV[4]) or (left > 0 and state ~= 'running' and state ~= 'ending') then
  redis.call('ZADD', BATCHES, now_ms(), crawl)
else
  redis.call('ZREM', BATCHES, crawl)
end
return 1
