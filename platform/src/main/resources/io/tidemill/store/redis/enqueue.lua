-- Writes a job: hash, first event, queue entry, in the contract's order (C3.2).
local function enqueue(job, events, stream, id, task, payload, now, ttl, step, trace, key)
  redis.call('HSET', job, 'job_id', id, 'task', task, 'payload', payload, 'status', 'queued',
    'created_ts', now, 'updated_ts', now, 'ttl_s', ttl, 'result', '', 'error', '')
  redis.call('EXPIRE', job, ttl)
  redis.call('XADD', events, '*', 'type', 'queued', 'ts', now, 'step', step, 'data', '{}')
  redis.call('EXPIRE', events, ttl)
  local entry = { 'job_id', id, 'task', task, 'payload', payload }
  if trace ~= '' then
    entry[#entry + 1] = 'traceparent'
    entry[#entry + 1] = trace
  end
  if key ~= '' then
    entry[#entry + 1] = 'idempotency_key'
    entry[#entry + 1] = key
  end
  redis.call('XADD', stream, '*', unpack(entry))
end
