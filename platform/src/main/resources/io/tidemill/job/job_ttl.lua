-- The ttl of a job (s): its own ttl_s if that is valid. Any other would make EXPIRE fail half way through a script, or
-- delete the job.
local function life(ttl, default)
  local seconds = tonumber(ttl)
  if seconds and seconds >= 1 and seconds <= 604800 then return math.floor(seconds) end
  return tonumber(default)
end
