#!lua flags=allow-oom
-- Removes an answered crawl from the frontier; its hash, pages and events expire later. Decides nothing.
-- KEYS 1 crawl hash
-- ARGV 1 crawl id, 2 keep (s)
--#include frontier.lua
local id = ARGV[1]
redis.call('HSET', KEYS[1], 'state', 'ended', 'ended', now_ms())
redis.call('HDEL', KEYS[1], 'data', 'open', 'taken')
redis.call('ZREM', ENDING, id)
redis.call('ZREM', DEADLINES, id)
redis.call('SREM', CRAWLING, id)
for _, host in ipairs(redis.call('SMEMBERS', KEYS[1] .. ':hosts')) do
  if redis.call('UNLINK', queue_key(id, host)) == 1 then redis.call('LREM', turns_key(host), 0, id) end
end
redis.call('UNLINK', KEYS[1] .. ':known', KEYS[1] .. ':hosts')
if redis.call('EXISTS', KEYS[1] .. ':items') == 1 then redis.call('ZADD', BATCHES, 'NX', 0, id) end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[1] .. ':pages', ARGV[2])
redis.call('EXPIRE', KEYS[1] .. ':events', ARGV[2])
return 1
