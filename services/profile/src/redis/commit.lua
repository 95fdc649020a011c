-- Replaces profiles that still are what they were thought to be, and queues each for the store: both or neither.
-- KEYS: the queue, then the profiles.
-- ARGV: changes that may wait; milliseconds to live, or '' to queue the change and keep the profile until it is stored;
--       then of each profile the start of its text as it was ('' if it must be new), its text as it will be, its id.
-- Returns of each profile: the changes that wait, this one included; 0 if it has changed; -1 if too many wait.
local queue, limit, ttl_ms = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local waiting = redis.call('LLEN', queue)
local outcomes = {}
for index = 2, #KEYS do
  local key, at = KEYS[index], 3 * index - 3
  local from, to, id = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local found
  if from == '' then
    found = redis.call('EXISTS', key) == 0
  else
    found = redis.call('GETRANGE', key, 0, #from - 1) == from
  end
  if waiting >= limit then
    outcomes[index - 1] = -1
  elseif not found then
    outcomes[index - 1] = 0
  elseif ttl_ms ~= '' then
    redis.call('SET', key, to, 'PX', ttl_ms)
    outcomes[index - 1] = 1
  else
    redis.call('SET', key, to)
    waiting = redis.call('RPUSH', queue, id)
    outcomes[index - 1] = waiting
  end
end
return outcomes
