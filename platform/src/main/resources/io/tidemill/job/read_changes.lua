#!lua flags=no-writes
-- Reads changed jobs and new entries of the queue.
-- KEYS 1 queue stream
-- ARGV 1 last entry read of `:changes`, 2 last entry read of the queue, 3 approximate maximum of ids of each
-- Returns {changes: {entry, upto, ids}, upto of the newest change or '', last entry of the queue, ids in the queue}
local function field(flat, name)
  for i = 1, #flat, 2 do
    if flat[i] == name then return flat[i + 1] end
  end
  return ''
end

local changes, newest, change, named = {}, '', ARGV[1], 0
repeat
  local page = redis.call('XRANGE', KEYS[1] .. ':changes', '(' .. change, '+', 'COUNT', 100)
  for _, entry in ipairs(page) do
    local ids = field(entry[2], 'ids')
    local _, spaces = string.gsub(ids, ' ', '')
    change, named = entry[1], named + spaces + 1
    changes[#changes + 1] = { entry[1], field(entry[2], 'upto'), ids }
  end
until #page < 100 or named >= tonumber(ARGV[3])
for _, entry in ipairs(redis.call('XREVRANGE', KEYS[1] .. ':changes', '+', '-', 'COUNT', 1)) do
  newest = field(entry[2], 'upto')
end

-- Payloads can be large, so one run reads only some entries.
local last, ids, seen, bytes = ARGV[2], {}, 0, 0
while seen < tonumber(ARGV[3]) and bytes < 4000000 do
  local page = redis.call('XRANGE', KEYS[1], '(' .. last, '+', 'COUNT', 16)
  for _, entry in ipairs(page) do
    last, seen = entry[1], seen + 1
    for i = 2, #entry[2], 2 do bytes = bytes + #entry[2][i] end
    ids[#ids + 1] = field(entry[2], 'job_id')
  end
  if #page < 16 then break end
end
return { changes, newest, last, ids }
