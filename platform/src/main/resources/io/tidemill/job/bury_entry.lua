#!lua flags=allow-oom
-- Moves an entry that names no job to the dead stream (C3.7).
-- KEYS 1 queue stream, 2 dead stream
-- ARGV 1 group, 2 entry, 3 consumer, 4 attempt, 5.. fields of the dead letter
-- Returns 'buried' | 'fenced'
--#include check_lease.lua
if not held(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]) then return 'fenced' end
redis.call('XADD', KEYS[2], '*', unpack(ARGV, 5))
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
return 'buried'
