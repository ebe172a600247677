-- The fence: true while the pending entry still names this consumer and this attempt.
local function held(stream, group, entry, consumer, attempt)
  local pending = redis.call('XPENDING', stream, group, entry, entry, 1)
  return #pending == 1 and pending[1][2] == consumer and pending[1][4] == tonumber(attempt)
end

local function terminal(status)
  return status == 'done' or status == 'error' or status == 'canceled'
end

-- Renews the ttl of a job's keys.
local function keep(job, events, ttl, idempotency)
  redis.call('EXPIRE', job, ttl)
  redis.call('EXPIRE', events, ttl)
  if idempotency then redis.call('EXPIRE', idempotency, ttl) end
end
