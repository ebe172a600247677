-- Lists of the newest crawls of all owners, in all and by status; a member is id and owner, separated by a tab.
-- Needs recent_members.lua.
local CRAWLS = 'crawls:recent'
local function list(at, id, owner, status)
  local member = id .. '\t' .. string.sub(owner, #'crawls:' + 1)
  remember(CRAWLS, at, member)
  for _, other in ipairs({ 'pending', 'completed', 'failed', 'canceled' }) do
    if other == status then
      remember(CRAWLS .. ':' .. other, redis.call('ZSCORE', CRAWLS, member) or at, member)
    else
      redis.call('ZREM', CRAWLS .. ':' .. other, member)
    end
  end
end
