#!lua flags=allow-oom
-- Notes that a process is there, and what it says of itself; one that fell silent is remembered for a while.
-- KEYS 1 processes by when they were last heard of, 2 what this one says
-- ARGV 1 its id, 2 its words, 3 how long a silent one is remembered (ms)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return now
