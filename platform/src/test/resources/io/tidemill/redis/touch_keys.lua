#!lua
-- Calls a command of each kind.
-- KEYS 1, 2 lists
-- ARGV 1 a stream
-- Returns what each said
local said = { KEYS[1] }
redis.call('RPUSH', KEYS[1], 'moved', 'left')
said[2] = tostring(redis.call('LLEN', KEYS[1]))
said[3] = redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')
said[4] = tostring(redis.call('DEL', KEYS[1], 'list:unknown'))
redis.call('XGROUP', 'CREATE', ARGV[1], 'g', '0', 'MKSTREAM')
said[5] = redis.call('XINFO', 'GROUPS', ARGV[1])[1][2]
said[6] = redis.pcall('HGET', KEYS[2], 'x').err and 'wrong type' or 'none'
local at = redis.call('TIME')
redis.call('XADD', ARGV[1], '1-' .. #at, 'f', 'entry')
said[7] = redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', 1, 'STREAMS', ARGV[1], '>')[1][2][1][2][2]
said[8] = tostring(redis.call('EXISTS', KEYS[2], ARGV[1], KEYS[1]))
return said
