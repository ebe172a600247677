#!lua flags=no-writes
-- Reads many hashes at once; long values are cut.
-- KEYS the hashes
-- ARGV 1 maximal length of a value, then the fields to read; none = all
-- Returns fields and values of each hash; nothing for a missing key or another type
local longest = tonumber(ARGV[1])

local function some(key)
  local values = redis.pcall('HMGET', key, unpack(ARGV, 2))
  if values.err then return {} end
  local flat = {}
  for i, value in ipairs(values) do
    if value then
      flat[#flat + 1] = ARGV[i + 1]
      flat[#flat + 1] = value
    end
  end
  return flat
end

local answers = {}
for i, key in ipairs(KEYS) do
  local flat = #ARGV > 1 and some(key) or redis.pcall('HGETALL', key)
  if flat.err then flat = {} end
  for j = 2, #flat, 2 do
    if #flat[j] > longest then flat[j] = string.sub(flat[j], 1, longest) end
  end
  answers[i] = flat
end
return answers
