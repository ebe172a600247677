#!lua flags=allow-oom
-- Renews the leases of visits (F24). Decided here: which leases are still held.
-- ARGV 1 lease (ms), then items
-- Returns for each 1 (renewed) or 0 (another crawler has the page)
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
