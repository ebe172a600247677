-- Appends changed jobs to `:changes`, a short stream beside the queue. An entry has up to 16 ids; `upto` is the total
-- number of changes, so that a late reader knows how many it missed. Failures here must not fail the caller.
local function changed(stream, ids)
  pcall(function()
    for i = 1, #ids, 16 do
      local last = math.min(i + 15, #ids)
      local upto = redis.call('INCRBY', stream .. ':changed', last - i + 1)
      redis.call('XADD', stream .. ':changes', 'MAXLEN', '~', 8000, '*', 'upto', upto,
        'ids', table.concat(ids, ' ', i, last))
    end
  end)
end
