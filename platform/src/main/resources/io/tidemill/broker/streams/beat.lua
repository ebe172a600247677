#!lua flags=allow-oom
-- Notes that a consumer is alive, and forgets those that have not said so for long.
-- KEYS 1 stream
-- ARGV 1 consumer, 2 how long that counts (ms)
-- Returns how many are alive
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local alive = KEYS[1] .. ':consumers'
redis.call('ZADD', alive, now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', alive, '-inf', now - ARGV[2])
redis.call('PEXPIRE', alive, ARGV[2])
return redis.call('ZCARD', alive)
