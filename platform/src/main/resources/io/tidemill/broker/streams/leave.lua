#!lua flags=allow-oom
-- Forgets a consumer that has nothing pending.
-- KEYS 1 stream
-- ARGV 1 group, 2 consumer
-- Returns 1 when it is forgotten, 0 when it was left in the books
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
return 1
