#!lua flags=allow-oom
-- Ends the lease on a redrive.
-- KEYS 1 redrive
-- ARGV 1 id, 2 fence
--#include redrive_lease.lua
if held(KEYS[1], ARGV[2]) then redis.call('ZADD', DUE, 'XX', now_ms(), ARGV[1]) end
return 1
