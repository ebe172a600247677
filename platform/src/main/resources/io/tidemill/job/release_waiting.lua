-- Moves jobs from their lines into the queue, each tenant in its turn (C3.3). Needs tenant_lines.lua.
-- Shares are JSON: {"weights":{},"limits":{},"limits_per_key":{},"tasks":[]}.

-- Unread and pending entries of the queue.
local function depths(stream, group)
  local length = redis.call('XLEN', stream)
  if length == 0 then return 0, 0 end
  for _, flat in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
    local info = {}
    for i = 1, #flat, 2 do info[flat[i]] = flat[i + 1] end
    if info['name'] == group then
      local pending = info['pending']
      if info['lag'] then return info['lag'], pending end
      -- Redis does not know the lag after entries were deleted; whether there are any is always known.
      local next = redis.call('XRANGE', stream, '(' .. info['last-delivered-id'], '+', 'COUNT', 1)
      return #next == 0 and 0 or math.max(1, length - pending), pending
    end
  end
  return length, 0
end

-- Free places in the queue. The length is an upper bound of unread entries; only when it is too large are they counted.
local function room(stream, group, window, length)
  if length < window then return window - length end
  return window - depths(stream, group)
end

-- Whether so many entries of a task are set aside that no more may be released: a task that is behind must not fill the
-- queue.
local function is_behind(stream, task, window)
  return redis.call('ZCARD', stream .. ':aside:' .. task) >= window
end

-- Frees places of jobs of a limited task that workers of another make ended. Some at a time.
local function free_ended(stream, prefix, task)
  local some = redis.call('HRANDFIELD', out_key(stream, task), 200)
  for _, id in ipairs(some) do
    local status = redis.pcall('HGET', prefix .. id, 'status')
    if not status or type(status) == 'table' or status == 'done' or status == 'error' or status == 'canceled' then
      free(stream, task, id)
    end
  end
end

-- Returns how many jobs went to the queue: at most `most`, and not more than about a megabyte.
local function release(stream, group, prefix, window, shares, most, forget)
  local turns, turn = stream .. ':turns', stream .. ':turn'
  local space = math.min(most, room(stream, group, window, redis.call('XLEN', stream)))
  if space <= 0 then return 0 end
  local plan = cjson.decode(shares)

  local checked = {}
  local function at_limit(task)
    local limit = plan.limits[task]
    return limit and redis.call('HLEN', out_key(stream, task)) >= limit
  end
  local function has_its_share(task, tenant)
    local own = plan.limits_per_key[task]
    return own and tonumber(redis.call('HGET', out_key(stream, task) .. ':held', tenant) or 0) >= own
  end
  -- Whether a limit is reached, also after ended jobs are freed.
  local function is_reached(reached, task, tenant)
    if not reached(task, tenant) then return false end
    if not forget or checked[task] then return true end
    checked[task] = true
    free_ended(stream, prefix, task)
    return reached(task, tenant)
  end
  -- Limits of all tenants are computed once, not for each tenant; hand_over() may change them.
  local full = {}
  local function is_full(task)
    if full[task] == nil then full[task] = is_behind(stream, task, window) or is_reached(at_limit, task) end
    return full[task]
  end

  local heads = {}
  local function head(line)
    if heads[line] == nil then heads[line] = redis.call('ZRANGE', line, 0, 0, 'WITHSCORES') end
    return heads[line]
  end

  -- The tenant's oldest job that may be released; jobs of a full task do not block others.
  local function next_of(tenant)
    local id, number
    for _, task in ipairs(plan.tasks) do
      local first = is_full(task) and {} or head(line_key(stream, tenant, task))
      if first[1] and (not id or tonumber(first[2]) < number) and not is_reached(has_its_share, task, tenant) then
        id, number = first[1], tonumber(first[2])
      end
    end
    return id
  end

  -- Returns the tenant's jobs left in line, and the size of the released one.
  local function hand_over(id)
    local left, tenant, task, trace, key = leave(stream, id)
    heads[line_key(stream, tenant, task)] = nil
    local job = redis.pcall('HMGET', prefix .. id, 'status', 'payload')
    -- Gone, or changed by a gateway or worker of another make.
    if job.err or job[1] ~= 'queued' or not job[2] then return left, nil end
    redis.call('XADD', stream, '*', unpack(entry(id, task, job[2], trace, key)))
    if plan.limits[task] or plan.limits_per_key[task] then
      hold(stream, task, id, tenant)
      full[task] = nil
    end
    return left, #job[2]
  end

  local was = redis.call('HMGET', turn, 'tenant', 'left')
  local holder, mine = was[1] or '', tonumber(was[2] or 0)
  local count, bytes, vain, passed, stuck = 0, 0, 0, 0, {}
  local function rotate()
    for _ = 1, passed do redis.call('LMOVE', turns, turns, 'LEFT', 'RIGHT') end
    passed = 0
  end
  while count < space and bytes < 1000000 do
    local tenant = redis.call('LINDEX', turns, passed)
    if not tenant then break end
    local id = not stuck[tenant] and next_of(tenant)
    if id then
      -- A tenant that is blocked loses this turn; nothing is written while all are.
      rotate()
      if holder ~= tenant or mine <= 0 then holder, mine = tenant, plan.weights[tenant] or 1 end
      local left, size = hand_over(id)
      if size then
        count, bytes, mine = count + 1, bytes + size, mine - 1
      else
        vain = vain + 1
      end
      if left > 0 and mine <= 0 and redis.call('LLEN', turns) > 1 then
        redis.call('LMOVE', turns, turns, 'LEFT', 'RIGHT')
      end
      if left <= 0 or mine <= 0 then holder, mine = '', 0 end
    else
      stuck[tenant] = true
      passed, vain = passed + 1, vain + 1
    end
    -- The next run continues behind blocked tenants. Only the releaser has time to check them all.
    if vain >= (forget and 2000 or 50) then
      rotate()
      break
    end
  end
  if (holder ~= (was[1] or '') or mine ~= tonumber(was[2] or 0)) and redis.call('EXISTS', turns) == 1 then
    redis.call('HSET', turn, 'tenant', holder, 'left', mine)
  end
  return count
end
