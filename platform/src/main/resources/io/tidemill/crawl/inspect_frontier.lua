#!lua flags=no-writes
-- Describes the frontier: open pages, and the hosts that have some, with the time when each may be asked.
-- ARGV 1 crawl or '' for all, 2 most hosts, 3 pause between two pages of a host when robots.txt names none (ms)
-- Returns {now, crawls, open pages, leased pages, postponed pages, first of these (ms) or '', crawls that wait for their
--          end, {host, queued, leased, next (ms), until (ms), delay (ms), known, crawls, postponed, first of these (ms)} …}
--#include frontier.lua
local CRAWLS, ITEMS, TURNS = 500, 2000, 100
local now, crawl, most = now_ms(), ARGV[1], tonumber(ARGV[2])

-- Pages of an ended crawl stay queued until a crawler removes them; they do not count.
local states = {}
local function is_over(id)
  if states[id] == nil then states[id] = redis.call('HGET', 'crawl:' .. id, 'state') ~= 'running' end
  return states[id]
end
local function is_wanted(id) return (crawl == '' or id == crawl) and not is_over(id) end

local open, crawls = 0, 1
local function count(id)
  if is_over(id) then
    crawls = crawls - 1
  else
    open = open + tonumber(redis.call('HGET', 'crawl:' .. id, 'open') or 0)
  end
end
if crawl == '' then
  crawls = redis.call('SCARD', CRAWLING)
  for _, id in ipairs(redis.call('SRANDMEMBER', CRAWLING, CRAWLS)) do count(id) end
else
  count(crawl)
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
elseif not is_over(crawl) then
  for _, host in ipairs(redis.call('SRANDMEMBER', 'crawl:' .. crawl .. ':hosts', most)) do
    if redis.call('EXISTS', queue_key(crawl, host)) == 1 then at(host) end
  end
end
-- Beyond ITEMS all pages count as wanted.
local running, waiting, first_later = redis.call('ZCOUNT', LEASES, now, '+inf'), redis.call('ZCARD', LATER), ''
for _, item in ipairs(redis.call('ZRANGE', LEASES, now, '+inf', 'BYSCORE', 'LIMIT', 0, ITEMS)) do
  local owner, host = parts(item)
  if is_wanted(owner) then
    local it = at(host)
    if it then it.busy = it.busy + 1 end
  else
    running = running - 1
  end
end
local later = redis.call('ZRANGE', LATER, 0, ITEMS - 1, 'WITHSCORES')
for i = 1, #later, 2 do
  local owner, host = parts(later[i])
  if is_wanted(owner) then
    if first_later == '' then first_later = later[i + 1] end
    local it = at(host)
    if it then
      it.later = it.later + 1
      if it.first == 0 then it.first = tonumber(later[i + 1]) end
    end
  else
    waiting = waiting - 1
  end
end

local answer = { now, crawls, open, running, waiting, first_later, redis.call('ZCARD', ENDING) }
for _, host in ipairs(order) do
  local it, kept = hosts[host], redis.call('HMGET', host_key(host), 'next', 'until', 'delay')
  local queued, wants = 0, 0
  if crawl == '' then
    wants = redis.call('LLEN', turns_key(host))
    for _, id in ipairs(redis.call('LRANGE', turns_key(host), 0, TURNS - 1)) do
      if is_over(id) then
        wants = wants - 1
      else
        queued = queued + redis.call('LLEN', queue_key(id, host))
      end
    end
  else
    wants, queued = 1, redis.call('LLEN', queue_key(crawl, host))
  end
  answer[#answer + 1] = { host, queued, it.busy, kept[1] or '0', kept[2] or '0', kept[3] or ARGV[3], kept[3] and 1 or 0, wants,
    it.later, string.format('%.0f', it.first) }
end
return answer
