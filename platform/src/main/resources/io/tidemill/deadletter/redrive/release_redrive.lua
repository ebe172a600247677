#!lua flags=allow-oom
-- Gives a redrive run to whoever comes next.
-- KEYS 1 run
-- ARGV 1 id, 2 run
--#include redrive_lease.lua
if held(KEYS[1], ARGV[2]) then redis.call('ZADD', DUE, 'XX', now_ms(), ARGV[1]) end
return 1
