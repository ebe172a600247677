#!lua flags=no-writes
-- A page of the newest jobs; expired ones are returned, so that they can be removed from the list.
-- KEYS 1 the list, 2 jobs in line
-- ARGV 1 prefix of job hashes, 2 newest time or '+inf', 3 id at that time after which to start or '', 4 number of jobs to check,
--      5 status or '', 6 task or '', 7 most rows
-- Returns {rows, matches, expired, time and id of the last that was checked or '' at the end}; a row is id, task, status,
--         created, updated, error, tenant
local rows, expired, matches, last = {}, {}, 0, { '', '' }
-- Many jobs may have the same time, and the one to start after may be gone.
local from = 0
if ARGV[3] ~= '' then
  local rank = redis.call('ZREVRANK', KEYS[1], ARGV[3])
  from = rank and rank + 1 or redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[2], '+inf')
end
local found = redis.call('ZREVRANGE', KEYS[1], from, from + ARGV[4] - 1, 'WITHSCORES')
for i = 1, #found, 2 do
  local id, at = found[i], found[i + 1]
  last = { at, id }
  if not (ARGV[3] ~= '' and at == ARGV[2] and id >= ARGV[3]) then
    local key = ARGV[1] .. id
    local it = redis.pcall('HMGET', key, 'task', 'status', 'created_ts', 'updated_ts')
    if it.err or (not it[1] and not it[2]) then
      expired[#expired + 1] = id
    elseif (ARGV[5] == '' or it[2] == ARGV[5]) and (ARGV[6] == '' or it[1] == ARGV[6]) then
      matches = matches + 1
      if #rows < tonumber(ARGV[7]) then
        local error = redis.call('HSTRLEN', key, 'error') <= 20000 and redis.call('HGET', key, 'error') or ''
        local place = redis.call('HGET', KEYS[2], id)
        rows[#rows + 1] = { id, it[1] or '', it[2] or 'queued', it[3] or at, it[4] or at, error or '',
          place and string.match(place, '^[^\t]*') or '', at }
      end
    end
  end
end
if #found < 2 * ARGV[4] then last = { '', '' } end
return { rows, matches, expired, last[1], last[2] }
