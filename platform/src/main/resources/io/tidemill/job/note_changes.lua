-- Names jobs that changed, for those who follow them all: in `:changes`, a short stream beside the queue. An entry
-- names some of them; `upto` says how many were ever named, so that who comes too late knows how many it missed.
-- What goes wrong here is nobody else's business.
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
