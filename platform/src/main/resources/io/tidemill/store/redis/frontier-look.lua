#!lua flags=no-writes
-- The frontier from outside: how much is left, and which hosts want something and when they may be asked.
-- ARGV 1 crawl or '' for all, 2 most hosts, 3 pause between two pages of a host when robots.txt names none (ms)
-- Returns {now, crawls, pages that are open, pages under way, pages for later, first of these (ms) or '', crawls that wait for their
--          end, {host, queued, under way, next (ms), until (ms), delay (ms), known, crawls, later, first of these (ms)} …}
--#include frontier.lua
local CRAWLS, ITEMS, TURNS = 500, 2000, 100
local now, crawl, most = now_ms(), ARGV[1], tonumber(ARGV[2])

local open = 0
if crawl == '' then
  for _, id in ipairs(redis.call('SRANDMEMBER', CRAWLING, CRAWLS)) do
    open = open + tonumber(redis.call('HGET', 'crawl:' .. id, 'open') or 0)
  end
else
  open = tonumber(redis.call('HGET', 'crawl:' .. crawl, 'open') or 0)
end

local hosts, order = {}, {}
local function at(host)
  if not hosts[host] and #order < most then
    hosts[host] = { busy = 0, later = 0, first = 0 }
    order[#order + 1] = host
  end
  return hosts[host]
end

if crawl == '' then
  for _, host in ipairs(redis.call('ZRANGE', HOSTS, 0, most - 1)) do at(host) end
else
  for _, host in ipairs(redis.call('SRANDMEMBER', 'crawl:' .. crawl .. ':hosts', most)) do
    if redis.call('EXISTS', queue_key(crawl, host)) == 1 then at(host) end
  end
end
for _, item in ipairs(redis.call('ZRANGE', LEASES, now, '+inf', 'BYSCORE', 'LIMIT', 0, ITEMS)) do
  local owner, host = parts(item)
  local it = (crawl == '' or owner == crawl) and at(host)
  if it then it.busy = it.busy + 1 end
end
local later = redis.call('ZRANGE', LATER, 0, ITEMS - 1, 'WITHSCORES')
for i = 1, #later, 2 do
  local owner, host = parts(later[i])
  local it = (crawl == '' or owner == crawl) and at(host)
  if it then
    it.later = it.later + 1
    if it.first == 0 then it.first = tonumber(later[i + 1]) end
  end
end

local answer = { now, crawl == '' and redis.call('SCARD', CRAWLING) or 1, open, redis.call('ZCOUNT', LEASES, now, '+inf'),
  redis.call('ZCARD', LATER), later[2] or '', redis.call('ZCARD', ENDING) }
for _, host in ipairs(order) do
  local it, kept = hosts[host], redis.call('HMGET', host_key(host), 'next', 'until', 'delay')
  local queued, wants = 0, 0
  if crawl == '' then
    wants = redis.call('LLEN', turns_key(host))
    for _, id in ipairs(redis.call('LRANGE', turns_key(host), 0, TURNS - 1)) do
      queued = queued + redis.call('LLEN', queue_key(id, host))
    end
  else
    wants, queued = 1, redis.call('LLEN', queue_key(crawl, host))
  end
  answer[#answer + 1] = { host, queued, it.busy, kept[1] or '0', kept[2] or '0', kept[3] or ARGV[3], kept[3] and 1 or 0, wants,
    it.later, string.format('%.0f', it.first) }
end
return answer
