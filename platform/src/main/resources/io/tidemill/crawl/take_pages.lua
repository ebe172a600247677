#!lua
-- Hands out pages to fetch: of hosts that may be asked now, each crawl in turn (C4.3, F36, F51).
-- Check and claim of a URL are this one step: nobody else gets it until the claim is released or runs out.
-- ARGV 1 most items, 2 lease (ms), 3 pause between two pages of a host when robots.txt names none (ms),
--      4 pages of one host at once, 5 how long at most to wait for more (ms)
-- Returns { wait (ms), { item, base, what is remembered of the page, 'seen' when it is not to be fetched }, … }
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

-- Whoever held these is gone.
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

-- Why the crawl may fetch no more, if so.
local function spent(it)
  if it[5] and tonumber(it[5]) > 0 and tonumber(it[4]) >= tonumber(it[5]) then return 'maxBytes' end
  if it[6] and now >= tonumber(it[6]) then return 'maxSeconds' end
  if tonumber(it[2]) >= tonumber(it[3]) then return 'maxPages' end
end

-- Ends a crawl that may fetch no more; not while pages are under way: one of them may yet be given back, and then
-- there is room again.
local function stop(crawl, key, over, taken, fetched)
  if over ~= 'maxPages' then redis.call('HSET', key, 'max_pages', taken) end
  if tonumber(taken) > tonumber(fetched) then return false end
  redis.call('HSET', key, 'state', 'ending', 'stopped_by', over)
  redis.call('ZADD', ENDING, now, crawl)
  return true
end

-- All that is left of a crawl may wait for hosts that want to be left alone; its time is up all the same.
for _, crawl in ipairs(redis.call('ZRANGEBYSCORE', DEADLINES, '-inf', now, 'LIMIT', 0, 100)) do
  local key = 'crawl:' .. crawl
  local it = redis.call('HMGET', key, 'state', 'taken', 'fetched')
  if it[1] == 'running' and not stop(crawl, key, 'maxSeconds', it[2], it[3]) then
    redis.call('ZADD', DEADLINES, now + 100, crawl)
  else
    redis.call('ZREM', DEADLINES, crawl)
  end
end

local function next_of(crawl, host)
  local key, queue = 'crawl:' .. crawl, queue_key(crawl, host)
  local it = redis.call('HMGET', key, 'state', 'taken', 'max_pages', 'bytes', 'max_bytes', 'deadline', 'recrawl', 'base',
    'fetched', 'dry')
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
  -- Who only looks claims nothing, and may look at what others have.
  if it[10] == '1' then
    redis.call('HINCRBY', key, 'taken', 1)
    redis.call('ZADD', LEASES, now + lease, item)
    return { item, it[8] or '', '', '' }
  end
  local _, _, _, _, identity = parts(item)
  local claim = redis.call('GET', seen_key(identity))
  local memory = redis.call('GET', page_key(identity)) or ''
  if claim and string.sub(claim, 1, 1) == 's' and it[7] ~= '1' then
    -- Not fetched again; but what it led to is worth a visit.
    redis.call('HSET', key, 'seen', string.sub(claim, 2))
    if tonumber(it[3]) > 1 and string.find(memory, '\n[^\n]*\n[^\n]*\n[^\n]*\n') then
      redis.call('HINCRBY', key, 'taken', 1)
      redis.call('ZADD', LEASES, now + lease, item)
      return { item, it[8] or '', memory, 'seen' }
    end
    redis.call('HINCRBY', key, 'skipped', 1)
    redis.call('HINCRBY', key, 'open', -1)
    close_if_idle(crawl, now)
    return
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
  -- Until robots.txt has been read nobody knows the host's wishes: one at a time.
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
