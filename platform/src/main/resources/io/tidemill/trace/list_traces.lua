#!lua flags=no-writes
-- Lists traces, the newest first.
-- KEYS 1 traces by their start
-- ARGV 1 latest start (us) or '+inf', 2 offset, 3 most
-- Returns {{id, start (us), {names and values of its head}}, …}; a head is empty when the trace is forgotten
local found = redis.call('ZRANGE', KEYS[1], ARGV[1], '-inf', 'BYSCORE', 'REV', 'LIMIT', ARGV[2], ARGV[3], 'WITHSCORES')
local rows = {}
for i = 1, #found, 2 do
  rows[#rows + 1] = { found[i], found[i + 1], redis.call('HGETALL', 'trace:' .. found[i] .. ':head') }
end
return rows
