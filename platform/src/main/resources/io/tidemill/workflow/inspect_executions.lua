#!lua flags=no-writes
-- Lengths and times of the queues of workflows or tasks.
-- ARGV 1 topic, 2 prefix of records, 3 now (ms)
-- Returns {ready, timers, running, not published, next timer (ms) or '', oldest ready (ms) or '', dead letters}
local topic = ARGV[1]
local timer = redis.call('ZRANGE', topic .. ':timers', 0, 0, 'WITHSCORES')
-- The score has a head start by priority; the time of creation is in the record.
local first = redis.call('ZRANGE', topic .. ':ready', 0, 0)[1]
local oldest = first and redis.call('HGET', ARGV[2] .. first, 'score') or ''
-- Expired leases count as ready.
local lost = redis.call('ZCOUNT', topic .. ':running', '-inf', '(' .. ARGV[3])
return { redis.call('ZCARD', topic .. ':ready') + lost, redis.call('ZCARD', topic .. ':timers'),
  redis.call('ZCOUNT', topic .. ':running', ARGV[3], '+inf'), redis.call('ZCARD', topic .. ':unpublished'),
  timer[2] or '', oldest, redis.call('ZCARD', topic .. ':by:dead_letter') }
