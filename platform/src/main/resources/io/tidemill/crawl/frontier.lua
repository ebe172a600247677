-- Shared by all scripts of the frontier.
-- An item is: crawl, host, depth, attempt, identity, address, separated by tabs. An item is in a queue, among the leases
-- or among the postponed ones, never in two of them at once.
local HOSTS, LEASES, LATER, ENDING = 'frontier:hosts', 'frontier:leases', 'frontier:later', 'frontier:ending'
local BATCHES, DEADLINES, CRAWLING = 'frontier:batches', 'frontier:deadlines', 'frontier:crawls'

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function parts(item)
  return string.match(item, '^([^\t]*)\t([^\t]*)\t(%d+)\t(%d+)\t([^\t]*)\t(.*)$')
end

local function again(item)
  local crawl, host, depth, attempt, identity, address = parts(item)
  return table.concat({ crawl, host, depth, attempt + 1, identity, address }, '\t')
end

local function host_key(host) return 'frontier:host:' .. host end
local function turns_key(host) return 'frontier:host:' .. host .. ':crawls' end
local function queue_key(crawl, host) return 'crawl:' .. crawl .. ':queue:' .. host end
local function page_key(identity) return 'page:' .. identity end
local function seen_key(identity) return 'crawled:' .. identity end
-- What a single page's crawl found; its first line is the value of seen_key at that time.
local function content_key(identity) return 'crawled-page:' .. identity end

-- When the next page of the host may be fetched.
local function ready_at(host)
  local times = redis.call('HMGET', host_key(host), 'next', 'until')
  return math.max(tonumber(times[1] or 0), tonumber(times[2] or 0))
end

local function wake(host)
  if redis.call('EXISTS', turns_key(host)) == 1 then redis.call('ZADD', HOSTS, ready_at(host), host) end
end

-- A crawl has a turn at a host exactly while its queue there is not empty.
local function push(item, crawl, host, first)
  local length = redis.call(first and 'LPUSH' or 'RPUSH', queue_key(crawl, host), item)
  if length == 1 then
    redis.call('RPUSH', turns_key(host), crawl)
    redis.call('SADD', 'crawl:' .. crawl .. ':hosts', host)
  end
  -- Behind other pages nothing changes: the host is scheduled already, or waits for one of its visits to end.
  if first or length == 1 then redis.call('ZADD', HOSTS, 'NX', ready_at(host), host) end
end

-- A running crawl without open pages is to be ended.
local function close_if_idle(crawl, now)
  local key = 'crawl:' .. crawl
  local it = redis.call('HMGET', key, 'state', 'open')
  if it[1] == 'running' and tonumber(it[2]) <= 0 then
    redis.call('HSET', key, 'state', 'ending')
    redis.call('ZADD', ENDING, now, crawl)
    return true
  end
  return false
end

local function leave_host(host)
  if redis.call('HINCRBY', host_key(host), 'busy', -1) < 0 then redis.call('HSET', host_key(host), 'busy', 0) end
end

-- Only this claim: another crawl may have claimed the URL meanwhile.
local function release(identity, claim)
  local key = seen_key(identity)
  if redis.call('GET', key) == claim then redis.call('DEL', key) end
end

-- Queues the links in ARGV, two values each, that the crawl does not know yet.
local function add_links(crawl, key, at, count)
  local known = 'crawl:' .. crawl .. ':known'
  local it = redis.call('HMGET', key, 'max_known')
  local room = tonumber(it[1] or 0) - redis.call('SCARD', known)
  local added = 0
  for i = 0, count - 1 do
    if room <= 0 then break end
    if redis.call('SADD', known, ARGV[at + 2 * i]) == 1 then
      local item = ARGV[at + 2 * i + 1]
      local _, host = parts(item)
      push(item, crawl, host, false)
      added = added + 1
      room = room - 1
    end
  end
  return added
end
