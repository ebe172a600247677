#!lua
-- Turns a dead entry into a new job, once. Running it twice with the same id makes one job.
-- KEYS 1 dead stream, 2 new job's hash, 3 new job's events, 4 queue stream, 5 notes of what was redriven and stays
-- ARGV 1 dead entry, 2 new job id, 3 task, 4 payload, 5 now (ms), 6 ttl (s), 7 step, 8 traceparent or '',
--      9 group, 10 prefix of job hashes, 11 tenant, 12 window, 13 shares, 14 '1' when the task is limited,
--      15 '1' when the dead entry stays, with a note, 16 '1' when it may have been redriven before
-- Returns {'created'} | {'before'} | {'gone'}
--#include /io/tidemill/job/queue_entry.lua
--#include /io/tidemill/job/tenant_lines.lua
--#include /io/tidemill/job/release_waiting.lua
--#include /io/tidemill/redis/recent_members.lua
--#include /io/tidemill/job/note_changes.lua
--#include /io/tidemill/job/enqueue_job.lua
if redis.call('EXISTS', KEYS[2]) == 1 then return { 'created' } end
if ARGV[16] ~= '1' and redis.call('HEXISTS', KEYS[5], ARGV[1]) == 1 then return { 'before' } end
if ARGV[15] == '1' then
  if #redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1]) == 0 then return { 'gone' } end
  redis.call('HSET', KEYS[5], ARGV[1], ARGV[5])
else
  if redis.call('XDEL', KEYS[1], ARGV[1]) == 0 then return { 'gone' } end
  redis.call('HDEL', KEYS[5], ARGV[1])
end
enqueue(KEYS[2], KEYS[3], KEYS[4], redis.call('XLEN', KEYS[4]), redis.call('HLEN', KEYS[4] .. ':waiting'), {
  id = ARGV[2], task = ARGV[3], payload = ARGV[4], now = ARGV[5], ttl = ARGV[6], step = ARGV[7],
  trace = ARGV[8], key = '', group = ARGV[9], prefix = ARGV[10], tenant = ARGV[11], window = ARGV[12],
  shares = ARGV[13], limited = ARGV[14] })
return { 'created' }
