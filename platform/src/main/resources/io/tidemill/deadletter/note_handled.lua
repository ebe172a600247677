#!lua flags=allow-oom
-- Notes what was done about a dead letter; what was noted before no longer counts.
-- KEYS 1 notes of this kind, 2 notes of the other kind
-- ARGV 1 letter, 2 now (ms)
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
