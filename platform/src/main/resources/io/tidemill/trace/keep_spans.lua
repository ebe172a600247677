#!lua
-- Keeps spans of one trace, and lists the trace among the recent ones; the oldest traces make room. Redis refuses the script
-- when its memory is full: jobs need it more.
-- KEYS 1 the trace's spans, 2 its head, 3 recent traces by their start, 4 how many spans each has, and '' for all of them,
--      5.. the traces of each object that the spans are about
-- ARGV 1 trace id, 2 now (us), 3 keep (s), 4 most spans of a trace, 5 of these for spans without an object, 6 most traces,
--      7 most spans of all, 8 most traces of an object, 9 start (us) and 10 name of the first of these spans, 11 end (us) of
--      the last, 12 '1' when one failed, 13 number of objects, then the objects, then for each span '1' when it is about an
--      object or '0', and the span
-- Returns 1 when the trace is full: it has refused spans and takes no more without an object; else 0
local spans, head, recent, sizes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, now, keep = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local most, plain = tonumber(ARGV[4]), tonumber(ARGV[5])
local objects = tonumber(ARGV[13])
local count = redis.call('LLEN', spans)
local before, truncated = count, false
for i = 14 + objects, #ARGV, 2 do
  if count < (ARGV[i] == '1' and most or plain) then
    redis.call('RPUSH', spans, ARGV[i + 1])
    count = count + 1
  else
    truncated = true
  end
end
local was = redis.call('HMGET', head, 'at', 'end')
if not was[1] or tonumber(ARGV[9]) < tonumber(was[1]) then redis.call('HSET', head, 'at', ARGV[9], 'name', ARGV[10]) end
if not was[2] or tonumber(ARGV[11]) > tonumber(was[2]) then redis.call('HSET', head, 'end', ARGV[11]) end
redis.call('HSET', head, 'spans', count)
if ARGV[12] == '1' then redis.call('HSET', head, 'error', '1') end
if truncated then redis.call('HSET', head, 'truncated', '1') end
-- Index only objects that the head names: forget() finds them there.
for i = 1, objects do
  local field = 'of:' .. ARGV[13 + i]
  if redis.call('HEXISTS', head, field) == 1 or redis.call('HLEN', head) < 100 then
    redis.call('HSET', head, field, '1')
    redis.call('ZADD', KEYS[4 + i], 'NX', ARGV[9], id)
    redis.call('ZREMRANGEBYRANK', KEYS[4 + i], 0, -1 - tonumber(ARGV[8]))
    redis.call('EXPIRE', KEYS[4 + i], keep)
  end
end
redis.call('EXPIRE', spans, keep)
redis.call('EXPIRE', head, keep)
redis.call('ZADD', recent, 'NX', ARGV[9], id)
redis.call('HINCRBY', sizes, id, count - before)
local all = redis.call('HINCRBY', sizes, '', count - before)
local traces = redis.call('ZCARD', recent)
local function forget(trace)
  for _, field in ipairs(redis.call('HKEYS', 'trace:' .. trace .. ':head')) do
    if string.sub(field, 1, 3) == 'of:' then redis.call('ZREM', 'trace:of:' .. string.sub(field, 4), trace) end
  end
  redis.call('DEL', 'trace:' .. trace, 'trace:' .. trace .. ':head')
end
for _ = 1, 100 do
  local oldest = redis.call('ZRANGE', recent, 0, 0, 'WITHSCORES')
  local isOld = oldest[1] and tonumber(oldest[2]) < now - keep * 1000000
  if not oldest[1] or not (isOld or traces > tonumber(ARGV[6]) or all > tonumber(ARGV[7])) then break end
  redis.call('ZREM', recent, oldest[1])
  -- An old trace may still grow; it leaves the list only, and its keys expire.
  if not isOld then forget(oldest[1]) end
  traces = traces - 1
  all = redis.call('HINCRBY', sizes, '', -tonumber(redis.call('HGET', sizes, oldest[1]) or 0))
  redis.call('HDEL', sizes, oldest[1])
end
return redis.call('HEXISTS', head, 'truncated')
