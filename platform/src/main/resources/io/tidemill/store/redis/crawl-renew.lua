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
    local _, _, _, _, identity = parts(ARGV[i])
    redis.call('PEXPIRE', seen_key(identity), ARGV[1] * 2)
    held[i - 1] = 1
  else
    held[i - 1] = 0
  end
end
return held
