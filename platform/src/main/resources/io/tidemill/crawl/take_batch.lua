#!lua
-- Leases the pages of a batch; another crawler gets them when the lease is over (C5.7). Decided here: which crawl is due.
-- ARGV 1 pages of a batch, 2 lease (ms)
-- Returns {} | { crawl, number of the batch, project, pages }
--#include frontier.lua
local now = now_ms()
local crawl = redis.call('ZRANGEBYSCORE', BATCHES, '-inf', now, 'LIMIT', 0, 1)[1]
if not crawl then return {} end
local items = redis.call('LRANGE', 'crawl:' .. crawl .. ':items', 0, ARGV[1] - 1)
if #items == 0 then
  redis.call('ZREM', BATCHES, crawl)
  return {}
end
redis.call('ZADD', BATCHES, now + ARGV[2], crawl)
local it = redis.call('HMGET', 'crawl:' .. crawl, 'batches', 'option:project')
return { crawl, it[1] or '0', it[2] or '', items }
