#!lua flags=allow-oom
-- Records that the broker has the `created` event, and its partition, which all later events follow (C2.2).
-- KEYS 1 record
-- ARGV 1 topic, 2 id, 3 partition, 4 offset
redis.call('ZREM', ARGV[1] .. ':unpublished', ARGV[2])
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HSETNX', KEYS[1], 'partition', ARGV[3])
  redis.call('HSETNX', KEYS[1], 'mark', ARGV[4])
end
