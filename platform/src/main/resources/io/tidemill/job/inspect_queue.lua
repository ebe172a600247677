#!lua flags=no-writes
-- The state of the queue.
-- KEYS 1 queue stream
-- ARGV 1 group, 2 prefix of job hashes, 3 tasks, a comma between them
-- Returns {now, in line, unread, pending, alive workers, accepted, oldest unread (ms) or '', oldest in line (ms) or '',
--          {task, in line, out, aside} of each task, {worker, its tasks or ''} of each alive}
-- Lines are counted for a limited number of tenants. Workers of another make count as alive while they read (ms);
-- one of ours only while it announces itself.
local TENANTS, MAX_IDLE = 100, 60000
local stream = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local in_line = redis.call('HLEN', stream .. ':waiting')
local unread, pending, accepted, oldest, consumers = 0, 0, in_line, '', {}
local function flat(reply)
  local map = {}
  for i = 1, #reply, 2 do map[reply[i]] = reply[i + 1] end
  return map
end
if redis.call('EXISTS', stream) == 1 then
  accepted = accepted + flat(redis.call('XINFO', 'STREAM', stream))['entries-added']
  for _, reply in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
    local group = flat(reply)
    if group['name'] == ARGV[1] then
      pending = group['pending']
      local first = redis.call('XRANGE', stream, '(' .. group['last-delivered-id'], '+', 'COUNT', 1)
      if first[1] then oldest = string.match(first[1][1], '^%d+') end
      -- Redis does not know the lag after entries were deleted.
      unread = group['lag'] or (first[1] and math.max(1, redis.call('XLEN', stream) - pending) or 0)
      consumers = redis.call('XINFO', 'CONSUMERS', stream, ARGV[1])
    end
  end
end

local tasks, oldest_in_line = {}, ''
for task in string.gmatch(ARGV[3], '[^,]+') do
  local lined = 0
  if in_line > 0 then
    for _, tenant in ipairs(redis.call('LRANGE', stream .. ':turns', 0, TENANTS - 1)) do
      local line = stream .. ':line:' .. tenant .. ':' .. task
      local length = redis.call('ZCARD', line)
      lined = lined + length
      local first = length > 0 and redis.call('ZRANGE', line, 0, 0)[1]
      local made = first and tonumber(redis.call('HGET', ARGV[2] .. first, 'created_ts') or '')
      if made and (oldest_in_line == '' or made < tonumber(oldest_in_line)) then
        oldest_in_line = string.format('%.0f', made)
      end
    end
  end
  tasks[#tasks + 1] = { task, lined, redis.call('HLEN', stream .. ':out:' .. task), redis.call('ZCARD', stream .. ':aside:' .. task) }
end

local workers, known = {}, {}
for _, worker in ipairs(redis.call('ZRANGEBYSCORE', stream .. ':consumers', now - 15000, '+inf')) do
  workers[#workers + 1] = { worker, redis.call('HGET', stream .. ':tasks', worker) or '' }
  known[worker] = true
end
for _, reply in ipairs(consumers) do
  local consumer = flat(reply)
  local name = consumer['name']
  if not known[name] and consumer['idle'] < MAX_IDLE and not redis.call('ZSCORE', stream .. ':ours', name) then
    workers[#workers + 1] = { name, '' }
  end
end
return { now, in_line, unread, pending, #workers, accepted, oldest, oldest_in_line, tasks, workers }
