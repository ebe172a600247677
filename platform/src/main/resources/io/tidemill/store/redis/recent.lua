-- What came lately, for lists: members by the time when they came (ms), the newest so many.
local RECENT = 10000
local function remember(key, at, member)
  if redis.call('ZADD', key, 'NX', tonumber(at) or 0, member) == 1 and redis.call('ZCARD', key) > RECENT then
    redis.call('ZREMRANGEBYRANK', key, 0, -RECENT - 1)
  end
end
