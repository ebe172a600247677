#!lua flags=no-writes
-- Which entries of a stream are no longer there.
-- KEYS 1 stream
-- ARGV their ids
-- Returns the ids of those that are gone
local gone = {}
for _, id in ipairs(ARGV) do
  if #redis.call('XRANGE', KEYS[1], id, id) == 0 then gone[#gone + 1] = id end
end
return gone
