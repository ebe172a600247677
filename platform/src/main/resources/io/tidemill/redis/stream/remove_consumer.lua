#!lua flags=allow-oom
-- Expires the leases of a consumer that leaves (C3.8). It is deleted only without pending entries, because these would be
-- deleted too.
-- KEYS 1 stream
-- ARGV 1 group, 2 consumer, 3 idle time to show (ms)
-- Returns the number of pending entries
local from, left = '-', 0
repeat
  local page = redis.call('XPENDING', KEYS[1], ARGV[1], from, '+', 500, ARGV[2])
  for _, entry in ipairs(page) do
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, entry[1], 'IDLE', ARGV[3], 'JUSTID')
    from = '(' .. entry[1]
  end
  left = left + #page
until #page < 500
redis.call('ZREM', KEYS[1] .. ':consumers', ARGV[2])
redis.call('HDEL', KEYS[1] .. ':tasks', ARGV[2])
if left == 0 then redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2]) end
return left
