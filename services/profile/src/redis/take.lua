-- Moves ids from the queue to the list of what one persister works on, each once, and returns that list. One that was
-- not settled, after a crash or a failure, is returned again.
-- KEYS: the queue, the list. ARGV: profiles wanted, the name of a new batch, which becomes the head of the list.
local held = redis.call('LRANGE', KEYS[2], 0, -1)
if #held > 0 then
  return held
end
local wanted, seen, list = tonumber(ARGV[1]), {}, { ARGV[2] }
-- A profile that changes often is queued often: look further, but do not keep Redis busy for long.
for _ = 1, 20 do
  local ids = redis.call('LPOP', KEYS[1], wanted)
  if not ids then
    break
  end
  for _, id in ipairs(ids) do
    if not seen[id] then
      seen[id] = true
      list[#list + 1] = id
    end
  end
  if #list > wanted then
    break
  end
end
if #list == 1 then
  return {}
end
for first = 1, #list, 1000 do
  redis.call('RPUSH', KEYS[2], unpack(list, first, math.min(first + 999, #list)))
end
return list
