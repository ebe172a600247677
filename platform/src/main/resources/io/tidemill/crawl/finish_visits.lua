#!lua flags=allow-oom
-- Ends visits: outcome, links and the host's pause of each, in one step (C4.3, F36).
-- The caller decides what becomes of a page (PageTransition). Decided here, at the moment of the write: whether the lease
-- is still held, whether the crawl still runs, which links are new, whether this was the crawl's last page.
-- ARGV 1 pages of a full batch, then for each visit: item, kind (fetched | skipped | failed | retry | later), bytes,
--      how long the URL counts as seen (ms), wait before the next attempt (ms), wait of the whole host (ms, 0 = none),
--      the crawl's data or '', line about the page or '', new base or '', item for the batch or '', version of the page
--      or '' or '-' (forget it), its lifetime (ms), number of further identities, these, number of links,
--      for each link: hash of its identity, item
-- Returns for each 'done' | 'idle' (the crawl has no page left) | 'fenced' (another crawler has the page) | 'over' (the
--      crawl has ended)
--#include frontier.lua
local now = now_ms()
local KEPT_PAGES = 1000
local FAILED = 'pages:failed' -- the newest failed pages of all crawls
local left = {}

local function progress(crawl, key)
  local it = redis.call('HMGET', key, 'told', 'found', 'fetched', 'skipped', 'failed', 'bytes', 'open', 'limited_until')
  if now - tonumber(it[1] or 0) < 200 and tonumber(it[7]) > 0 then return end
  redis.call('HSET', key, 'told', now)
  local data = string.format('{"found":%s,"fetched":%s,"skipped":%s,"failed":%s,"bytes":%s,"waiting":%s',
    it[2], it[3], it[4], it[5], it[6], it[7])
  if it[8] and tonumber(it[8]) > now then data = data .. ',"rateLimitedUntil":' .. it[8] end
  redis.call('XADD', key .. ':events', 'MAXLEN', '~', 1000, '*', 'type', 'progress', 'ts', now,
    'step', 'crawler.progress', 'data', data .. '}')
end

local function done(at, also, links)
  local item, kind = ARGV[at], ARGV[at + 1]
  if redis.call('ZREM', LEASES, item) == 0 then return 'fenced' end
  local crawl, host, _, _, identity = parts(item)
  local key = 'crawl:' .. crawl
  leave_host(host)
  local pause = tonumber(ARGV[at + 5])
  -- Visits of one host end in any order: the longest pause counts.
  if pause > 0 and now + pause > tonumber(redis.call('HGET', host_key(host), 'until') or 0) then
    redis.call('HSET', host_key(host), 'until', now + pause)
  end
  if kind == 'fetched' then
    local seen, data = 's' .. now .. '\t' .. crawl, ARGV[at + 6]
    local function note(name)
      redis.call('SET', seen_key(name), seen, 'PX', ARGV[at + 3])
      if data ~= '' then redis.call('SET', content_key(name), seen .. '\n' .. data, 'PX', ARGV[at + 3]) end
    end
    note(identity)
    for i = 1, tonumber(ARGV[also]) do note(ARGV[also + i]) end
  else
    release(identity, 'c' .. crawl)
    for i = 1, tonumber(ARGV[also]) do release(ARGV[also + i], 'c' .. crawl .. '\t' .. identity) end
  end
  local memory = ARGV[at + 10]
  if memory == '-' then
    redis.call('DEL', page_key(identity))
  elseif memory ~= '' then
    redis.call('SET', page_key(identity), memory, 'PX', ARGV[at + 11])
  end
  left[host] = true
  if redis.call('HGET', key, 'state') ~= 'running' then return 'over' end
  if kind == 'retry' or kind == 'later' then
    redis.call('HINCRBY', key, 'taken', -1)
    redis.call('ZADD', LATER, now + tonumber(ARGV[at + 4]), kind == 'retry' and again(item) or item)
    if pause > 0 then redis.call('HSET', key, 'limited_until', redis.call('HGET', host_key(host), 'until')) end
    progress(crawl, key)
    return 'done'
  end
  redis.call('HINCRBY', key, kind, 1)
  if kind ~= 'fetched' then redis.call('HINCRBY', key, 'taken', -1) end
  if kind == 'failed' and redis.call('HGET', key, 'dry') ~= '1' then
    redis.call('XADD', FAILED, 'MAXLEN', 10000, '*', 'crawl', crawl, 'email', redis.call('HGET', key, 'email') or '',
      'line', ARGV[at + 7])
  end
  redis.call('HINCRBY', key, 'bytes', ARGV[at + 2])
  if ARGV[at + 6] ~= '' then redis.call('HSET', key, 'data', ARGV[at + 6]) end
  if ARGV[at + 7] ~= '' and redis.call('LLEN', key .. ':pages') < KEPT_PAGES then
    redis.call('RPUSH', key .. ':pages', ARGV[at + 7])
  end
  if ARGV[at + 8] ~= '' then redis.call('HSET', key, 'base', ARGV[at + 8]) end
  if ARGV[at + 9] ~= '' and redis.call('RPUSH', key .. ':items', ARGV[at + 9]) >= tonumber(ARGV[1]) then
    redis.call('ZADD', BATCHES, 'NX', now, crawl)
  end
  local added = add_links(crawl, key, links + 1, tonumber(ARGV[links]))
  if added > 0 then redis.call('HINCRBY', key, 'found', added) end
  redis.call('HINCRBY', key, 'open', added - 1)
  progress(crawl, key)
  return close_if_idle(crawl, now) and 'idle' or 'done'
end

local answers = {}
local at = 2
while at <= #ARGV do
  local also = at + 12
  local links = also + tonumber(ARGV[also]) + 1
  answers[#answers + 1] = done(at, also, links)
  at = links + 2 * tonumber(ARGV[links]) + 1
end
-- Once for all visits of a host, after their links are queued.
for host in pairs(left) do wake(host) end
return answers
