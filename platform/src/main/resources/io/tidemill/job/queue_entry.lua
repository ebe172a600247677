-- The fields of a queue entry (C3.1).
local function entry(id, task, payload, trace, key)
  local fields = { 'job_id', id, 'task', task, 'payload', payload }
  if trace ~= '' then
    fields[#fields + 1] = 'traceparent'
    fields[#fields + 1] = trace
  end
  if key ~= '' then
    fields[#fields + 1] = 'idempotency_key'
    fields[#fields + 1] = key
  end
  return fields
end
