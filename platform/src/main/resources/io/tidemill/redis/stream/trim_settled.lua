#!lua flags=allow-oom
-- Drops entries that every group has acknowledged (C3.9), and deletes consumers that left long ago.
-- KEYS 1 stream
-- ARGV 1 group, 2 idle time after which its consumers without entries are deleted (ms)
-- Returns {entries dropped, entries left, name of the group that needs the oldest entry or ''}
if redis.call('EXISTS', KEYS[1]) == 0 then return { 0, 0, '' } end

-- Fails when our own group is gone: what it needs is unknown until it is made again.
local consumers = redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])

local function parts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local function less(a, b)
  local am, as = parts(a)
  local bm, bs = parts(b)
  return am < bm or (am == bm and as < bs)
end

local oldest, holder
for _, flat in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local group = {}
  for i = 1, #flat, 2 do group[flat[i]] = flat[i + 1] end
  -- Up to the oldest pending entry; with none pending, up to and with the last delivered one.
  local needed
  if group['pending'] > 0 then
    needed = redis.call('XPENDING', KEYS[1], group['name'])[2]
  else
    local ms, seq = string.match(group['last-delivered-id'], '^(%d+)-(%d+)$')
    needed = ms .. '-' .. string.format('%.0f', tonumber(seq) + 1)
  end
  if not oldest or less(needed, oldest) then
    oldest, holder = needed, group['name']
  end
end
if not oldest then return { 0, redis.call('XLEN', KEYS[1]), '' } end

local dropped = redis.call('XTRIM', KEYS[1], 'MINID', '=', oldest)
for _, flat in ipairs(consumers) do
  local consumer = {}
  for i = 1, #flat, 2 do consumer[flat[i]] = flat[i + 1] end
  if consumer['pending'] == 0 and consumer['idle'] > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer['name'])
  end
end
return { dropped, redis.call('XLEN', KEYS[1]), holder }
