#!lua
-- Puts a crawl into the frontier, once (C1.7, F07). Running it twice with the same id makes one crawl.
-- Decided here: whether the crawl has begun or was canceled before.
-- KEYS 1 crawl hash, 2 crawl events
-- ARGV 1 crawl id, 2 first item, 3 its host, 4 hash of its identity, 5 keep (s), then fields and values of the crawl
-- Returns 'begun' | the state that the crawl has already
--#include frontier.lua
--#include /io/tidemill/redis/recent_members.lua
--#include recent_crawls.lua
local state = redis.call('HGET', KEYS[1], 'state')
if state and state ~= 'canceled' then return state end
local now = now_ms()
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
redis.call('PERSIST', KEYS[1])
if state == 'canceled' then
  redis.call('ZADD', ENDING, now, ARGV[1])
  return state
end
redis.call('HSET', KEYS[1], 'state', 'running', 'started', now, 'open', 1, 'found', 1, 'fetched', 0,
  'skipped', 0, 'failed', 0, 'bytes', 0, 'taken', 0)
local seconds = tonumber(redis.call('HGET', KEYS[1], 'max_seconds') or 0)
if seconds > 0 then
  redis.call('HSET', KEYS[1], 'deadline', now + seconds * 1000)
  redis.call('ZADD', DEADLINES, now + seconds * 1000, ARGV[1])
end
redis.call('SADD', 'crawl:' .. ARGV[1] .. ':known', ARGV[4])
redis.call('SADD', CRAWLING, ARGV[1])
-- A crawl of another program's gateway is listed here for the first time.
local owner = redis.call('HGET', KEYS[1], 'email')
if owner then list(now, ARGV[1], 'crawls:' .. owner, 'pending') end
push(ARGV[2], ARGV[1], ARGV[3], false)
redis.call('XADD', KEYS[2], '*', 'type', 'running', 'ts', now, 'step', 'crawler.start', 'data', '{}')
return 'begun'
