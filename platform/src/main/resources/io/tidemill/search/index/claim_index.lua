#!lua flags=allow-oom
-- Lets one indexer write the index of pages, and notes which index that is. An index of another id
-- takes its place only after a long silence, so that pages are not split between the two.
-- KEYS 1 the index in use: id, holder (empty = it stopped), host, pid, folder, seen (ms)
-- ARGV 1 id of the claimed index, 2 who claims it, 3 its host, 4 its pid, 5 folder,
--      6 whether it has just opened the folder, and so is the only one that writes there (1 or 0),
--      7 silence (ms) after which a holder is gone, 8 silence (ms) after which another index goes on
-- Returns {'GRANTED'} or {'REFUSED', id, host, pid, folder, holder}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local id, holder, host, pid, folder, seen =
  unpack(redis.call('HMGET', KEYS[1], 'id', 'holder', 'host', 'pid', 'folder', 'seen'))

local silence = now - (tonumber(seen) or 0)
local isOver = holder == '' or silence > tonumber(ARGV[7])
local isHere = ARGV[6] == '1' and host == ARGV[3] and folder == ARGV[5]
local function isFree()
  if not id or holder == ARGV[2] then return true end
  if id == ARGV[1] then return isOver or isHere end
  return isOver and (isHere or silence > tonumber(ARGV[8]))
end

if not isFree() then return { 'REFUSED', id, host, pid, folder, holder } end
redis.call('HSET', KEYS[1],
  'id', ARGV[1], 'holder', ARGV[2], 'host', ARGV[3], 'pid', ARGV[4], 'folder', ARGV[5], 'seen', now)
return { 'GRANTED' }
