#!lua flags=allow-oom
-- Appends an event of a running job (C3.12).
-- KEYS 1 queue stream, 2 job hash, 3 job events
-- ARGV 1 group, 2 entry, 3 consumer, 4 attempt, 5 now (ms), 6 type, 7 step, 8 data, 9 default ttl (s)
-- Returns 'appended' | 'fenced' | the status of a job that ended | 'gone'
--#include check_lease.lua
--#include job_ttl.lua
if not held(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]) then return 'fenced' end
local hash = redis.call('HMGET', KEYS[2], 'status', 'ttl_s')
if hash[1] ~= 'running' then return hash[1] or 'gone' end
redis.call('XADD', KEYS[3], '*', 'type', ARGV[6], 'ts', ARGV[5], 'step', ARGV[7], 'data', ARGV[8])
keep(KEYS[2], KEYS[3], life(hash[2], ARGV[9]))
return 'appended'
