#!lua
-- Records a new workflow or task and that its event is still to be published (C2.4), each once.
-- KEYS 1 record, 2 idempotency key (only when the client sent one)
-- ARGV 1 topic, 2 prefix of records, 3 id, 4 now (ms), 5 created (ms), 6 group, 7 most that wait, 8 when another gateway may
--      publish it (ms), 9 life of the idempotency key (s), 10 type and 11 data of the first event, then fields and values
-- Returns {'created'} | {'known', id, body} | {'busy', id, body} (it is not published yet) | {'full', waiting}
--#include execution.lua
local topic, id = ARGV[1], ARGV[3]
if redis.call('EXISTS', KEYS[1]) == 1 then return { 'created' } end
if KEYS[2] then
  local known = redis.call('GET', KEYS[2])
  if known then
    local body = redis.call('HGET', ARGV[2] .. known, 'body')
    -- The key is valid as long as its record.
    if body then
      local busy = redis.call('ZSCORE', topic .. ':unpublished', known)
      return { busy and 'busy' or 'known', known, body }
    end
  end
end
local waiting = redis.call('ZCARD', topic .. ':by:pending')
if waiting >= tonumber(ARGV[7]) then return { 'full', waiting } end
note(topic, KEYS[1], id, ARGV[5], ARGV[6], '', ARGV, 12, #ARGV)
redis.call('ZADD', topic .. ':unpublished', ARGV[8], id)
if KEYS[2] then redis.call('SET', KEYS[2], id, 'EX', ARGV[9]) end
follow(KEYS[1], ARGV[4], ARGV[10], 'gateway.submit', ARGV[11])
return { 'created' }
