#!lua flags=no-writes
-- One page of a list, the newest first, without long values.
-- KEYS 1 the list
-- ARGV 1 prefix of records, 2 offset, 3 limit, 4 longest value, 5 number of short fields, these, then fields that may be
--      long
-- Returns {how many there are, {field, value, …}, …}
local short = tonumber(ARGV[5])
local answer = { redis.call('ZCARD', KEYS[1]) }
if tonumber(ARGV[3]) == 0 then return answer end
for _, id in ipairs(redis.call('ZREVRANGE', KEYS[1], ARGV[2], ARGV[2] + ARGV[3] - 1)) do
  local key = ARGV[1] .. id
  local record = {}
  for i = 6, #ARGV do
    if i <= 5 + short or redis.call('HSTRLEN', key, ARGV[i]) <= tonumber(ARGV[4]) then
      local value = redis.call('HGET', key, ARGV[i])
      if value then
        record[#record + 1] = ARGV[i]
        record[#record + 1] = value
      end
    end
  end
  if #record > 0 then answer[#answer + 1] = record end
end
return answer
