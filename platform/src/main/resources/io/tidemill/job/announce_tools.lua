#!lua flags=allow-oom
-- Records the tools of a worker, and removes those that were not announced for long (C3.11).
-- KEYS 1 the tools
-- ARGV 1 ttl of an announcement (ms), then names and announcements (JSON objects without `seen`)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], string.format('{"seen":%.0f,', now) .. string.sub(ARGV[i + 1], 2))
end
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local seen = string.match(all[i + 1], '"seen"%s*:%s*(%d+)')
  if now - (tonumber(seen) or 0) > tonumber(ARGV[1]) then redis.call('HDEL', KEYS[1], all[i]) end
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
