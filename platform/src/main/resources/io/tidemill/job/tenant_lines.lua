-- The lines in which jobs wait for their tenant's turn. Keys begin with the stream's:
--   :waiting     job -> tenant, task, trace and idempotency key, between tabs
--   :line:{tenant}:{task}   jobs, in order of arrival
--   :tenants     tenant -> number of its jobs in line
--   :turns       tenants with jobs in line, in order of their turns; :turn has the progress of the first one's turn
--   :out:{task}  jobs of a limited task in the queue or running -> tenant; :held counts them by tenant
--   :deadlines   jobs that were not started, by the time of their next check
local function line_key(stream, tenant, task) return stream .. ':line:' .. tenant .. ':' .. task end
local function out_key(stream, task) return stream .. ':out:' .. task end

-- Puts a job behind the others of its tenant; a tenant that had none gets the last turn.
local function wait(stream, id, tenant, task, trace, key)
  local number = redis.call('HINCRBY', stream .. ':turn', 'number', 1)
  redis.call('HSET', stream .. ':waiting', id, table.concat({ tenant, task, trace, key }, '\t'))
  redis.call('ZADD', line_key(stream, tenant, task), number, id)
  if redis.call('HINCRBY', stream .. ':tenants', tenant, 1) == 1 then
    redis.call('RPUSH', stream .. ':turns', tenant)
  end
end

-- Takes a job out of its line. Returns the tenant's jobs left there, then tenant, task, trace and key; nil when it is in
-- none.
local function leave(stream, id)
  local place = redis.call('HGET', stream .. ':waiting', id)
  if not place then return nil end
  local tenant, task, trace, key = string.match(place, '^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$')
  redis.call('HDEL', stream .. ':waiting', id)
  redis.call('ZREM', line_key(stream, tenant, task), id)
  local left = redis.call('HINCRBY', stream .. ':tenants', tenant, -1)
  if left <= 0 then
    redis.call('HDEL', stream .. ':tenants', tenant)
    redis.call('LREM', stream .. ':turns', 1, tenant)
    if redis.call('EXISTS', stream .. ':turns') == 0 then redis.call('DEL', stream .. ':turn') end
  end
  return left, tenant, task, trace, key
end

-- Counts a job of a limited task as in flight; the keys outlive every ttl.
local function hold(stream, task, id, tenant)
  local out = out_key(stream, task)
  redis.call('HSET', out, id, tenant)
  redis.call('HINCRBY', out .. ':held', tenant, 1)
  redis.call('EXPIRE', out, 1209600)
  redis.call('EXPIRE', out .. ':held', 1209600)
end

-- Frees the place of a job that ended or is gone.
local function free(stream, task, id)
  local out = out_key(stream, task)
  local tenant = redis.call('HGET', out, id)
  if not tenant then return end
  redis.call('HDEL', out, id)
  if redis.call('HINCRBY', out .. ':held', tenant, -1) <= 0 then redis.call('HDEL', out .. ':held', tenant) end
end
