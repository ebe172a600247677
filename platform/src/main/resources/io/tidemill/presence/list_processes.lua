#!lua flags=no-writes
-- The processes that were heard of lately, with what they said.
-- KEYS 1 processes by when they were last heard of
-- ARGV 1 prefix of their words, 2 how long a silent one is remembered (ms), 3 most
-- Returns {now, {id, when it was last heard of, words}, …}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = { now }
local found = redis.call('ZREVRANGEBYSCORE', KEYS[1], '+inf', now - ARGV[2], 'WITHSCORES', 'LIMIT', 0, ARGV[3])
for i = 1, #found, 2 do
  local words = redis.call('GET', ARGV[1] .. found[i])
  if words then answer[#answer + 1] = { found[i], found[i + 1], words } end
end
return answer
