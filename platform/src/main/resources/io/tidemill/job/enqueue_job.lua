-- Writes a job: hash, first event, then the queue entry or its place in line, in the contract's order (C3.2).
-- Needs queue_entry.lua, tenant_lines.lua, release_waiting.lua, recent_members.lua and note_changes.lua.
-- Returns whether the job waits in line.
local function enqueue(job, events, stream, length, in_line, it)
  redis.call('HSET', job, 'job_id', it.id, 'task', it.task, 'payload', it.payload, 'status', 'queued',
    'created_ts', it.now, 'updated_ts', it.now, 'ttl_s', it.ttl, 'result', '', 'error', '')
  redis.call('EXPIRE', job, it.ttl)
  local first = redis.call('XADD', events, '*', 'type', 'queued', 'ts', it.now, 'step', it.step, 'data', '{}')
  redis.call('EXPIRE', events, it.ttl)
  remember(stream .. ':recent', it.now, it.id)
  -- By Redis' clock, as in the event's id: after half its ttl the releaser checks whether it was started.
  redis.call('ZADD', stream .. ':deadlines', string.match(first, '^%d+') + it.ttl * 500, it.id)
  -- No job overtakes those that wait.
  local window = tonumber(it.window)
  if in_line == 0 and it.limited ~= '1' and room(stream, it.group, window, length) > 0
    and not is_behind(stream, it.task, window) then
    redis.call('XADD', stream, '*', unpack(entry(it.id, it.task, it.payload, it.trace, it.key)))
    return false
  end
  wait(stream, it.id, it.tenant, it.task, it.trace, it.key)
  changed(stream, { it.id })
  local gone = release(stream, it.group, it.prefix, window, it.shares, 16, false)
  return gone == 0 or redis.call('HEXISTS', stream .. ':waiting', it.id) == 1
end
