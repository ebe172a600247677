-- How long a job is kept (s): its own ttl_s if that is a number of seconds that a client may ask for. Any other
-- would make EXPIRE fail half way through a script, or delete the job.
local function life(ttl, default)
  local seconds = tonumber(ttl)
  if seconds and seconds >= 1 and seconds <= 604800 then return math.floor(seconds) end
  return tonumber(default)
end
