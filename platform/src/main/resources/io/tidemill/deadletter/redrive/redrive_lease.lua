-- Shared by all scripts of redrives. Times are those of the Redis server.
local DUE = 'redrives:due' -- redrives that are running, by the end of the lease on them

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Whether this fencing token is that of the current holder.
local function held(key, fence) return redis.call('HGET', key, 'run') == fence end
