-- The newest members of a list, by time (ms).
local RECENT = 10000
local function remember(key, at, member)
  -- A gateway of another make may have written anything: an invalid time counts as oldest.
  local time = tonumber(at)
  if not time or not (time >= 0 and time < 1e15) then time = 0 end
  if redis.call('ZADD', key, 'NX', math.floor(time), member) == 1 and redis.call('ZCARD', key) > RECENT then
    redis.call('ZREMRANGEBYRANK', key, 0, -RECENT - 1)
  end
end
