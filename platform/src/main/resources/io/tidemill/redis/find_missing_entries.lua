#!lua flags=no-writes
-- Finds entries that are no longer in a stream.
-- KEYS 1 stream
-- ARGV their ids
-- Returns the missing ids
local gone = {}
for _, id in ipairs(ARGV) do
  if #redis.call('XRANGE', KEYS[1], id, id) == 0 then gone[#gone + 1] = id end
end
return gone
