#!lua flags=no-writes
-- Tells which format the servers' data has.
-- KEYS 1 the stamp
-- Returns {type of the key, its fields and values if it is a hash …}
local type = redis.call('TYPE', KEYS[1])['ok']
if type ~= 'hash' then return { type } end
return { type, unpack(redis.call('HGETALL', KEYS[1])) }
