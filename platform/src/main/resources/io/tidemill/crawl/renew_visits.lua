#!lua flags=allow-oom
-- Keeps visits from being handed to others while they go on (F24).
-- ARGV 1 lease (ms), then items
-- Returns of each 1 (still ours) or 0
--#include frontier.lua
local now = now_ms()
local held = {}
for i = 2, #ARGV do
  if redis.call('ZSCORE', LEASES, ARGV[i]) then
    redis.call('ZADD', LEASES, 'XX', now + ARGV[1], ARGV[i])
    local crawl, _, _, _, identity = parts(ARGV[i])
    local claim = seen_key(identity)
    if redis.call('GET', claim) == 'c' .. crawl then redis.call('PEXPIRE', claim, ARGV[1] * 2) end
    held[i - 1] = 1
  else
    held[i - 1] = 0
  end
end
return held
