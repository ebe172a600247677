#!lua
-- Adds links that a visit found, before it ends: a page may have more of them than one step should take.
-- ARGV 1 item of the visit, then of each link: hash of its identity, item
-- Returns 1 | 0 (the visit is no longer ours)
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
