#!lua flags=allow-oom
-- Cancels a job that has not ended (C3.10); the first end wins.
-- KEYS 1 job hash, 2 job events
-- ARGV 1 now (ms), 2 step, 3 data, 4 default ttl (s), 5 channel of canceled jobs, 6 job id, 7 queue stream
-- Returns {'canceled', earlier status} | {'ended', status} | {'gone'}
--#include check_lease.lua
--#include job_ttl.lua
--#include tenant_lines.lua
--#include note_changes.lua
local hash = redis.call('HMGET', KEYS[1], 'status', 'ttl_s', 'task')
local status = hash[1]
if not status then return { 'gone' } end
if terminal(status) then return { 'ended', status } end
redis.call('HSET', KEYS[1], 'status', 'canceled', 'updated_ts', ARGV[1])
redis.call('XADD', KEYS[2], '*', 'type', 'canceled', 'ts', ARGV[1], 'step', ARGV[2], 'data', ARGV[3])
keep(KEYS[1], KEYS[2], life(hash[2], ARGV[4]))
redis.call('ZREM', ARGV[7] .. ':deadlines', ARGV[6])
leave(ARGV[7], ARGV[6])
if hash[3] then free(ARGV[7], hash[3], ARGV[6]) end
changed(ARGV[7], { ARGV[6] })
redis.call('PUBLISH', ARGV[5], ARGV[6])
return { 'canceled', status }
