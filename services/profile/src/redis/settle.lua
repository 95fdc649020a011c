-- The store has a batch: its profiles may leave the cache after their time, unless they changed again, and the batch is
-- done, unless it is another's by now.
-- KEYS: the list of what the persister works on, then profiles.
-- ARGV: name of the batch, milliseconds to live, then the start of each profile's text as it was stored.
for index = 2, #KEYS do
  local start = ARGV[index + 1]
  if redis.call('GETRANGE', KEYS[index], 0, #start - 1) == start then
    redis.call('PEXPIRE', KEYS[index], ARGV[2])
  end
end
if redis.call('LINDEX', KEYS[1], 0) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 1
