#!lua flags=allow-oom
-- Takes over entries whose owner has not renewed its lease (C3.8).
-- KEYS 1 stream
-- ARGV 1 group, 2 consumer, 3 lease (ms), 4 most, 5 entry to search from
-- Returns {entries taken as {id, attempt, fields}, ids of pending entries that were deleted from the stream,
--          entry to continue from: '0-0' at the end}
local taken = {}
local reply = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[5], 'COUNT', ARGV[4])
for _, entry in ipairs(reply[2]) do
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], entry[1], entry[1], 1)
  if #pending == 1 then taken[#taken + 1] = { entry[1], pending[1][4], entry[2] } end
end
return { taken, reply[3] or {}, reply[1] }
