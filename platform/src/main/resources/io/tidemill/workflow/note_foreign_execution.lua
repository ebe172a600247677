#!lua flags=allow-oom
-- Records a workflow or task whose `created` event another program has published (C2.4); processors still admit it.
-- KEYS 1 record
-- ARGV 1 topic, 2 id, 3 now (ms), 4 created (ms), 5 group, 6 type and 7 data of the first event, then fields and values
-- Returns 1 | 0 (it was known)
--#include execution.lua
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
note(ARGV[1], KEYS[1], ARGV[2], ARGV[4], ARGV[5], '', ARGV, 8, #ARGV)
follow(KEYS[1], ARGV[3], ARGV[6], 'gateway.watch', ARGV[7])
return 1
