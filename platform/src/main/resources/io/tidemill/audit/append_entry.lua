-- Appends a batch to the audit trail, once, and keeps the newest entries.
-- KEYS: stream, name of the batch
-- ARGV: entries to keep, then each entry as JSON
-- Returns how many were appended; 0 when the batch is there already.
if not redis.call('SET', KEYS[2], '1', 'NX', 'EX', 600) then return 0 end
for i = 2, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[1], '*', 'entry', ARGV[i])
end
return #ARGV - 1
