-- Stands before each script while redis.prefix is set, as one line. What follows calls redis and
-- reads KEYS as ever, with names that have no prefix.
local redis, KEYS = (function(prefix, places)
  local plain = redis
  local names = {}
  for i = 1, #KEYS do names[i] = string.sub(KEYS[i], #prefix + 1) end
  local function add(all, first, last)
    for i = first, last do all[i] = prefix .. all[i] end
  end
  local function named(place, all)
    if place == 'second' then add(all, 3, 3)
    elseif place == 'first_and_second' then add(all, 2, 3)
    elseif place == 'all' then add(all, 2, #all)
    elseif place == 'streams' then
      local first = 2
      while all[first - 1] ~= 'STREAMS' do first = first + 1 end
      add(all, first, first + (#all - first + 1) / 2 - 1)
    end
    return unpack(all)
  end
  local function naming(call)
    return function(command, key, ...)
      local place = places[command]
      if place then return call(named(place, { command, key, ... })) end
      return call(command, prefix .. key, ...)
    end
  end
  local its = { call = naming(plain.call), pcall = naming(plain.pcall) }
  return setmetatable(its, { __index = plain }), names
end)('$prefix', $places)
