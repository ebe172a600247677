-- Tells a channel something.
-- ARGV 1 the channel, 2 the message
-- Returns how many heard it
return redis.call('PUBLISH', ARGV[1], ARGV[2])
