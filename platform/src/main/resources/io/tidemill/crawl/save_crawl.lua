#!lua flags=allow-oom
-- Ends a crawl's entity, unless another writer changed it meanwhile (C1.3, F13).
-- Decided here: whether the entity is still as the caller read it, and whether a crawler has begun the crawl.
-- KEYS 1 crawls of the owner, 2 crawl hash, 3 crawl events, 4 crawls to publish
-- ARGV 1 id, 2 the entity as it was read, 3 the new entity, 4 type of the event, 5 its data, 6 now (ms), 7 keep (s),
--      8 '1' when the crawlers are to stop, 9 their channel
-- Returns 1 | 0 (it was changed)
--#include /io/tidemill/redis/recent_members.lua
--#include recent_crawls.lua
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('ZREM', KEYS[4], ARGV[1])
list(ARGV[6], ARGV[1], KEYS[1], ARGV[4])
redis.call('XADD', KEYS[3], '*', 'type', ARGV[4], 'ts', ARGV[6], 'step', 'gateway.end', 'data', ARGV[5])
local state = redis.call('HGET', KEYS[2], 'state')
if ARGV[8] == '1' then
  if state ~= 'ended' then
    redis.call('HSET', KEYS[2], 'state', 'canceled')
    if state == 'running' or state == 'ending' then redis.call('ZADD', 'frontier:ending', ARGV[6], ARGV[1]) end
    redis.call('PUBLISH', ARGV[9], ARGV[1])
  end
end
-- Crawlers remove only what they have begun.
if redis.call('TTL', KEYS[2]) == -1 and (not state or state == 'canceled') then
  redis.call('EXPIRE', KEYS[2], ARGV[7])
end
redis.call('EXPIRE', KEYS[3], ARGV[7])
return 1
