#!lua flags=allow-oom
-- Renews leases.
-- ARGV 1 topic, 2 prefix of records, 3 end of the leases (ms), then id and run of each
-- Returns for each 'saved' | 'fenced' | 'canceled'
local answers = {}
for i = 4, #ARGV, 2 do
  local was = redis.call('HMGET', ARGV[2] .. ARGV[i], 'run', 'place', 'status')
  if was[1] ~= ARGV[i + 1] or was[2] ~= 'running' then
    answers[#answers + 1] = 'fenced'
  else
    redis.call('ZADD', ARGV[1] .. ':running', 'XX', ARGV[3], ARGV[i])
    answers[#answers + 1] = was[3] == 'canceled' and 'canceled' or 'saved'
  end
end
return answers
