#!lua flags=allow-oom
-- Ends a job: state, terminal event, acknowledgement, in this order (C3.7, C3.8).
-- KEYS 1 queue stream, 2 job hash, 3 job events, 4 dead stream, 5 idempotency key (only when named)
-- ARGV 1 group, 2 entry, 3 consumer, 4 attempt, 5 now (ms), 6 status, 7 result, 8 error, 9 step, 10 data,
--      11 default ttl (s), 12.. fields of a dead letter, none = no dead letter
-- Returns {'finished'} | {'fenced'} | {'gone'} (acknowledged) | {'ended', status} (acknowledged)
--#include lease.lua
--#include life.lua
local stream, job, events = KEYS[1], KEYS[2], KEYS[3]
if not held(stream, ARGV[1], ARGV[2], ARGV[3], ARGV[4]) then return { 'fenced' } end

local answer
local hash = redis.call('HMGET', job, 'status', 'ttl_s')
if not hash[1] and redis.call('EXISTS', job) == 0 then
  answer = { 'gone' }
elseif terminal(hash[1]) then
  answer = { 'ended', hash[1] }
else
  redis.call('HSET', job, 'status', ARGV[6], 'updated_ts', ARGV[5], 'result', ARGV[7], 'error', ARGV[8])
  redis.call('XADD', events, '*', 'type', ARGV[6], 'ts', ARGV[5], 'step', ARGV[9], 'data', ARGV[10])
  keep(job, events, life(hash[2], ARGV[11]), KEYS[5])
  answer = { 'finished' }
end
if #ARGV > 11 and answer[1] ~= 'ended' then redis.call('XADD', KEYS[4], '*', unpack(ARGV, 12)) end
redis.call('XACK', stream, ARGV[1], ARGV[2])
return answer
