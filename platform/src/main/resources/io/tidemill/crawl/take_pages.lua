#!lua
-- Leases pages to fetch: of hosts that may be asked now, crawls of one host in turn (C4.3, F36, F51).
-- Decided here, since two crawlers must not decide differently: which hosts may be asked, whether a bound of the crawl
-- (pages, bytes, time) is reached, whether the URL is claimed by another crawl or was seen a short time ago.
-- ARGV 1 most items, 2 lease (ms), 3 pause between two pages of a host when robots.txt names none (ms),
--      4 pages of one host at once, 5 how long at most to wait for more (ms)
-- Returns { wait (ms), { item, base, stored version of the page, 'seen' when it is not to be fetched }, … }
--#include frontier.lua
local now = now_ms()
local most, lease, pause, parallel = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local STEPS = 2000
local out, steps = {}, 0

for _, item in ipairs(redis.call('ZRANGEBYSCORE', LATER, '-inf', now, 'LIMIT', 0, 200)) do
  redis.call('ZREM', LATER, item)
  local crawl, host = parts(item)
  if redis.call('HGET', 'crawl:' .. crawl, 'state') == 'running' then push(item, crawl, host, true) end
end

-- The crawlers that held these have died or stalled.
for _, item in ipairs(redis.call('ZRANGEBYSCORE', LEASES, '-inf', now, 'LIMIT', 0, 200)) do
  redis.call('ZREM', LEASES, item)
  local crawl, host, _, _, identity = parts(item)
  leave_host(host)
  release(identity, 'c' .. crawl)
  if redis.call('HGET', 'crawl:' .. crawl, 'state') == 'running' then
    redis.call('HINCRBY', 'crawl:' .. crawl, 'taken', -1)
    push(again(item), crawl, host, true)
  else
    wake(host)
  end
end

-- The bound that the crawl has reached; nil when none is.
local function spent(it)
  if it[5] and tonumber(it[5]) > 0 and tonumber(it[4]) >= tonumber(it[5]) then return 'maxBytes' end
  if it[6] and now >= tonumber(it[6]) then return 'maxSeconds' end
  if tonumber(it[2]) >= tonumber(it[3]) then return 'maxPages' end
end

-- Ends a crawl that reached a bound; not while pages are leased: one of them may come back, and then there is room again.
local function stop(crawl, key, over, taken, fetched)
  if over ~= 'maxPages' then redis.call('HSET', key, 'max_pages', taken) end
  if tonumber(taken) > tonumber(fetched) then return false end
  redis.call('HSET', key, 'state', 'ending', 'stopped_by', over)
  redis.call('ZADD', ENDING, now, crawl)
  return true
end

-- maxSeconds holds even while all open pages wait for hosts that may not be asked.
for _, crawl in ipairs(redis.call('ZRANGEBYSCORE', DEADLINES, '-inf', now, 'LIMIT', 0, 100)) do
  local key = 'crawl:' .. crawl
  local it = redis.call('HMGET', key, 'state', 'taken', 'fetched')
  if it[1] == 'running' and not stop(crawl, key, 'maxSeconds', it[2], it[3]) then
    redis.call('ZADD', DEADLINES, now + 100, crawl)
  else
    redis.call('ZREM', DEADLINES, crawl)
  end
end

-- Whether the page was fetched so short a time ago that the crawl does not want it fetched again.
local function is_recent(claim, recrawl, max_age)
  local at = claim and string.match(claim, '^s(%d+)')
  if not at or recrawl == '1' then return false end
  return not max_age or now - tonumber(at) <= tonumber(max_age)
end

-- What a crawl of this one page found then; nil when it was a page of a site: the text of those is not kept here.
local function content_of(identity, claim)
  local content = redis.call('GET', content_key(identity)) or ''
  if string.sub(content, 1, #claim + 1) == claim .. '\n' then return string.sub(content, #claim + 2) end
end

local function skip(crawl, key)
  redis.call('HINCRBY', key, 'skipped', 1)
  redis.call('HINCRBY', key, 'open', -1)
  close_if_idle(crawl, now)
end

local function next_of(crawl, host)
  local key, queue = 'crawl:' .. crawl, queue_key(crawl, host)
  local it = redis.call('HMGET', key, 'state', 'taken', 'max_pages', 'bytes', 'max_bytes', 'deadline', 'recrawl', 'base',
    'fetched', 'dry', 'max_age')
  if it[1] ~= 'running' then
    redis.call('UNLINK', queue)
    return
  end
  local over = spent(it)
  if over then
    if not stop(crawl, key, over, it[2], it[9]) then return nil, true end
    redis.call('UNLINK', queue)
    return
  end
  local item = redis.call('LPOP', queue)
  if not item then return end
  -- A dry run claims nothing, and may visit pages that other crawls have claimed.
  if it[10] == '1' then
    redis.call('HINCRBY', key, 'taken', 1)
    redis.call('ZADD', LEASES, now + lease, item)
    return { item, it[8] or '', '', '' }
  end
  local _, _, _, _, identity = parts(item)
  local claim = redis.call('GET', seen_key(identity))
  local memory = redis.call('GET', page_key(identity)) or ''
  if is_recent(claim, it[7], it[11]) then
    if tonumber(it[3]) > 1 then
      -- Not fetched again; but its links are followed.
      redis.call('HSET', key, 'seen', string.sub(claim, 2))
      if string.find(memory, '\n[^\n]*\n[^\n]*\n[^\n]*\n') then
        redis.call('HINCRBY', key, 'taken', 1)
        redis.call('ZADD', LEASES, now + lease, item)
        return { item, it[8] or '', memory, 'seen' }
      end
      return skip(crawl, key)
    end
    -- The crawl of one page responds with its content: without it, the page is fetched.
    local content = content_of(identity, claim)
    if content then
      redis.call('HSET', key, 'seen', string.sub(claim, 2), 'data', content)
      return skip(crawl, key)
    end
  end
  if claim and string.sub(claim, 1, 1) == 'c' and claim ~= 'c' .. crawl then
    redis.call('ZADD', LATER, now + 1000, item)
    return
  end
  redis.call('SET', seen_key(identity), 'c' .. crawl, 'PX', lease * 2)
  redis.call('HINCRBY', key, 'taken', 1)
  redis.call('ZADD', LEASES, now + lease, item)
  return { item, it[8] or '', memory, '' }
end

local function serve(host)
  local it = redis.call('HMGET', host_key(host), 'next', 'until', 'busy', 'delay')
  local ready = math.max(tonumber(it[1] or 0), tonumber(it[2] or 0))
  if ready > now then
    redis.call('ZADD', HOSTS, ready, host)
    return
  end
  -- Before robots.txt is read, one page at a time.
  local limit = it[4] and parallel or 1
  local delay = tonumber(it[4] or pause)
  local busy = tonumber(it[3] or 0)
  local taken = false
  while busy < limit and #out < most and steps < STEPS do
    steps = steps + 1
    local crawl = redis.call('LPOP', turns_key(host))
    if not crawl then break end
    local item, waits = next_of(crawl, host)
    if redis.call('EXISTS', queue_key(crawl, host)) == 1 then redis.call('RPUSH', turns_key(host), crawl) end
    if waits then
      redis.call('HSET', host_key(host), 'busy', busy)
      redis.call('ZADD', HOSTS, now + 20, host)
      return
    end
    if item then
      out[#out + 1] = item
      busy = busy + 1
      if item[4] == '' then
        taken = true
        if delay > 0 then break end
      end
    end
  end
  redis.call('HSET', host_key(host), 'busy', busy)
  redis.call('EXPIRE', host_key(host), 86400)
  if taken and delay > 0 then redis.call('HSET', host_key(host), 'next', now + delay) end
  if busy >= limit or redis.call('EXISTS', turns_key(host)) == 0 then
    redis.call('ZREM', HOSTS, host)
  else
    redis.call('ZADD', HOSTS, taken and now + delay or now, host)
  end
end

for _, host in ipairs(redis.call('ZRANGEBYSCORE', HOSTS, '-inf', now, 'LIMIT', 0, most * 2)) do
  if #out >= most or steps >= STEPS then break end
  serve(host)
end

local wait = tonumber(ARGV[5])
for _, set in ipairs({ HOSTS, LATER, LEASES, DEADLINES }) do
  local first = redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')
  if first[2] then wait = math.max(0, math.min(wait, tonumber(first[2]) - now)) end
end
table.insert(out, 1, wait)
return out
