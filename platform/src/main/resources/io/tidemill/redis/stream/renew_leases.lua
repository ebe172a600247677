#!lua flags=allow-oom
-- Renews leases that are still held.
-- KEYS 1 stream
-- ARGV 1 group, 2 consumer, then entry and attempt of each lease
-- Returns 1 or 0 for each: held or lost
local answers = {}
for i = 3, #ARGV, 2 do
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[i], ARGV[i], 1)
  if #pending == 1 and pending[1][2] == ARGV[2] and pending[1][4] == tonumber(ARGV[i + 1]) then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[i], 'JUSTID')
    answers[#answers + 1] = 1
  else
    answers[#answers + 1] = 0
  end
end
return answers
