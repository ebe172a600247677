#!lua
-- Notes the pause that a host's robots.txt asks for; from now on more than one page at once may be fetched. Decides nothing.
-- ARGV 1 host, 2 pause between two pages (ms)
--#include frontier.lua
redis.call('HSET', host_key(ARGV[1]), 'delay', ARGV[2])
redis.call('EXPIRE', host_key(ARGV[1]), 86400)
wake(ARGV[1])
return 1
