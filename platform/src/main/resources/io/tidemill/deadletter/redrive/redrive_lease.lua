-- What all scripts of redrive runs share. Times are Redis' own.
local DUE = 'redrives:due' -- runs that are not done, by the end of the lease on them

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Whether whoever took the run last still has it.
local function held(key, run) return redis.call('HGET', key, 'run') == run end
