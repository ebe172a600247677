#!lua flags=allow-oom
-- Records that a dead letter was redriven or discarded; replaces an earlier note.
-- KEYS 1 notes of this kind, 2 notes of the other kind
-- ARGV 1 dead letter, 2 now (ms)
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
