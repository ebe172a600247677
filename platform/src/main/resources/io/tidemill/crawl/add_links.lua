#!lua
-- Adds links that a visit found, before the visit ends: a page may have more links than one script call should add.
-- Decided here: whether the lease is still held and the crawl still runs.
-- ARGV 1 item of the visit, then for each link: hash of its identity, item
-- Returns 1 | 0 (another crawler has the page, or the crawl is over)
--#include frontier.lua
if not redis.call('ZSCORE', LEASES, ARGV[1]) then return 0 end
local crawl = parts(ARGV[1])
local key = 'crawl:' .. crawl
if redis.call('HGET', key, 'state') ~= 'running' then return 0 end
local added = add_links(crawl, key, 2, (#ARGV - 1) / 2)
if added > 0 then
  redis.call('HINCRBY', key, 'found', added)
  redis.call('HINCRBY', key, 'open', added)
end
return 1
