#!lua flags=allow-oom
-- Gives leases up, so that others need not wait for them to run out.
-- KEYS 1 stream
-- ARGV 1 group, 2 consumer, 3 idle time to show (ms), then entry and attempt of each lease
-- Returns how many were still held
local released = 0
for i = 4, #ARGV, 2 do
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[i], ARGV[i], 1)
  if #pending == 1 and pending[1][2] == ARGV[2] and pending[1][4] == tonumber(ARGV[i + 1]) then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[i], 'IDLE', ARGV[3], 'JUSTID')
    released = released + 1
  end
end
return released
