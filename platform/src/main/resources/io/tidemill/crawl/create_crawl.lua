#!lua
-- Notes a new crawl for its owner and that its request is still to be published (C1.3, C1.4).
-- Running it twice with the same id makes one crawl. Decided here: whether the crawl exists.
-- KEYS 1 crawls of the owner, 2 crawl hash, 3 crawl events, 4 crawls to publish
-- ARGV 1 id, 2 entity, 3 now (ms), 4 when another gateway may publish it (ms), then fields and values of the hash
--#include /io/tidemill/redis/recent_members.lua
--#include recent_crawls.lua
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSET', KEYS[2], unpack(ARGV, 5))
  redis.call('ZADD', KEYS[4], ARGV[4], ARGV[1])
  list(ARGV[3], ARGV[1], KEYS[1], 'pending')
  redis.call('XADD', KEYS[3], '*', 'type', 'pending', 'ts', ARGV[3], 'step', 'gateway.submit', 'data', '{}')
end
return 1
