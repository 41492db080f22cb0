#pragma once

#include <string_view>

namespace defiance::redis_scripts {

/// KEYS: the hash of a game. ARGV: key, expected version, value. 1: stored; 0: conflict.
inline constexpr std::string_view update = R"(
local old = redis.call('HGET', KEYS[1], ARGV[1])
local version = 0
if old then version = tonumber(string.match(old, '^(%d+):')) end
if not version then return redis.error_reply('ERR a stored position is malformed') end
if version ~= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', version + 1) .. ':' .. ARGV[3])
return 1
)";

// The scripts of the queue have the same keys: 1 tasks (a hash: name to
// "priority:number:lease:note", lease 0 when the task waits), 2 waiting (a sorted set of names), 3
// leases (a sorted set: lease by its end in milliseconds), 4 leased (a hash: lease to name), 5 the
// last number, 6 the last lease.

/// What all of them begin with.
inline constexpr std::string_view queue_functions = R"(
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local function read(name)
  local task = redis.call('HGET', KEYS[1], name)
  if not task then return nil end
  local priority, number, lease, at = string.match(task, '^(%d+):(%d+):(%d+):()')
  return tonumber(priority), tonumber(number), lease, string.sub(task, at)
end
local function write(name, priority, number, lease, note)
  local head = string.format('%.0f:%.0f:', priority, number)
  redis.call('HSET', KEYS[1], name, head .. lease .. ':' .. note)
end
local function wait(name, priority, number)
  redis.call('ZADD', KEYS[2], string.format('%.0f', number - priority * 1e12), name)
end
local function end_lease(lease)
  local name = redis.call('HGET', KEYS[4], lease)
  redis.call('ZREM', KEYS[3], lease)
  redis.call('HDEL', KEYS[4], lease)
  return name
end
local function release(lease)
  local name = end_lease(lease)
  if not name then return end
  local priority, number, _, note = read(name)
  if not priority then return end
  write(name, priority, number, '0', note)
  wait(name, priority, number)
end
local function is_good(lease)
  local last = redis.call('ZSCORE', KEYS[3], lease)
  return last and tonumber(last) > now()
end
)";

/// ARGV: name, priority, note, most tasks. 0: queued; 1: already queued; 2: full.
inline constexpr std::string_view push = R"(
local priority, number, lease, note = read(ARGV[1])
local new = tonumber(ARGV[2])
if not priority then
  if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then return 2 end
  number = redis.call('INCR', KEYS[5])
  write(ARGV[1], new, number, '0', ARGV[3])
  wait(ARGV[1], new, number)
  return 0
end
if new > priority then
  write(ARGV[1], new, number, lease, note)
  if lease == '0' then wait(ARGV[1], new, number) end
end
return 1
)";

/// ARGV: how many, milliseconds. Gives lease, name, priority and note of each.
inline constexpr std::string_view lease = R"(
local time = now()
for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', time, 'LIMIT', 0, 1000)) do
  release(old)
end
local given = {}
for _, name in ipairs(redis.call('ZRANGE', KEYS[2], 0, tonumber(ARGV[1]) - 1)) do
  local priority, number, _, note = read(name)
  redis.call('ZREM', KEYS[2], name)
  if priority then
    local id = string.format('%.0f', redis.call('INCR', KEYS[6]))
    write(name, priority, number, id, note)
    redis.call('ZADD', KEYS[3], string.format('%.0f', time + tonumber(ARGV[2])), id)
    redis.call('HSET', KEYS[4], id, name)
    given[#given + 1] = id
    given[#given + 1] = name
    given[#given + 1] = string.format('%.0f', priority)
    given[#given + 1] = note
  end
end
return given
)";

/// ARGV: lease. 1: done; 0: the lease has run out.
inline constexpr std::string_view complete = R"(
if not is_good(ARGV[1]) then return 0 end
local name = end_lease(ARGV[1])
if not name then return 0 end
redis.call('HDEL', KEYS[1], name)
return 1
)";

/// The same.
inline constexpr std::string_view release = R"(
if not is_good(ARGV[1]) then return 0 end
release(ARGV[1])
return 1
)";

/// Gives the numbers of all tasks and of those with a good lease.
inline constexpr std::string_view size = R"(
local good = redis.call('ZCOUNT', KEYS[3], string.format('(%.0f', now()), '+inf')
return { redis.call('HLEN', KEYS[1]), good }
)";

}  // namespace defiance::redis_scripts
