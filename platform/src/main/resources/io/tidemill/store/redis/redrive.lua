#!lua
-- Turns a dead entry into a new job, once. Running it twice with the same id makes one job.
-- KEYS 1 dead stream, 2 new job's hash, 3 new job's events, 4 queue stream
-- ARGV 1 dead entry, 2 new job id, 3 task, 4 payload, 5 now (ms), 6 ttl (s), 7 step, 8 traceparent or ''
-- Returns {'created'} | {'gone'}
--#include enqueue.lua
if redis.call('EXISTS', KEYS[2]) == 1 then return { 'created' } end
if redis.call('XDEL', KEYS[1], ARGV[1]) == 0 then return { 'gone' } end
enqueue(KEYS[2], KEYS[3], KEYS[4], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], '')
return { 'created' }
