-- What came lately, for lists: members by the time when they came (ms), the newest so many.
local RECENT = 10000
local function remember(key, at, member)
  -- Another make of gateway may have written anything: what is no time came long ago.
  local time = tonumber(at)
  if not time or not (time >= 0 and time < 1e15) then time = 0 end
  if redis.call('ZADD', key, 'NX', math.floor(time), member) == 1 and redis.call('ZCARD', key) > RECENT then
    redis.call('ZREMRANGEBYRANK', key, 0, -RECENT - 1)
  end
end
