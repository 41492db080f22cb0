#include <tools/store/redis_store.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/store/byte_codec.hpp>
#include <tools/store/queue_file.hpp>
#include <tools/store/redis_scripts.hpp>

namespace defiance {
namespace {

constexpr std::int64_t max_version = 0xFFFFFFFF;
/// Positions asked for with one command.
constexpr std::size_t max_batch = 256;

std::string hash_of(StoreGame game) {
    return "defiance:" + std::string(name_of(game));
}

std::string field_of(const PositionKey& key) {
    std::string field;
    append_key(field, key);
    return field;
}

/// The game and the key of a task.
std::string task_name(StoreGame game, const PositionKey& key) {
    return static_cast<char>(game) + field_of(key);
}

std::optional<TaskLease> read_lease(std::span<const RespValue> parts) {
    DEFIANCE_ASSERT(parts.size() == 4);
    if (!std::all_of(parts.begin(), parts.end(), [](const RespValue& v) { return v.is_text(); }))
        return std::nullopt;
    constexpr std::int64_t most = std::int64_t{1} << 62;
    const auto id = parse_integer(parts[0].text, 1, most);
    const auto priority = parse_integer(parts[2].text, 0, max_task_priority);
    const std::string& name = parts[1].text;
    if (!id || !priority || name.size() != 1 + position_key_bytes) return std::nullopt;
    const auto game = static_cast<unsigned char>(name[0]);
    if (game >= store_game_names.size()) return std::nullopt;
    return TaskLease{static_cast<std::uint64_t>(*id),
                     {static_cast<StoreGame>(game), key_at(name, 1), static_cast<int>(*priority),
                      parts[3].text}};
}

}  // namespace

Error RedisStore::strange_reply() const {
    return {client_.address().shown_name() + " has something else where a store should be"};
}

Result<std::unique_ptr<RedisStore>> RedisStore::open(
    const RedisAddress& address, const std::function<void(const std::string&)>& warn) {
    std::unique_ptr<RedisStore> store(new RedisStore(address));
    if (std::optional<Error> problem = store->commit()) return *problem;
    // Relatives of Redis may know no such question.
    const Result<RespValue> info = store->client_.call({"INFO", "persistence"});
    if (info && info->text.find("aof_enabled:0") != std::string::npos)
        warn(address.shown_name() +
             " may lose what it has when it ends: it needs 'appendonly yes'");
    return store;
}

std::optional<Error> RedisStore::commit() {
    const Result<RespValue> reply = client_.call({"PING"});
    if (!reply) return Error{reply.error()};
    if (!reply->is_text() || reply->text != "PONG") return strange_reply();
    return std::nullopt;
}

Result<std::optional<StoredValue>> RedisStore::value_of(const RespValue& reply) const {
    if (reply.kind == RespValue::Kind::null) return std::optional<StoredValue>();
    const std::size_t colon = std::min(reply.text.find(':'), reply.text.size());
    const auto version =
        parse_integer(std::string_view(reply.text).substr(0, colon), 1, max_version);
    if (!reply.is_text() || !version || colon == reply.text.size() ||
        reply.text.size() - colon > 1 + max_stored_value)
        return strange_reply();
    return std::optional<StoredValue>(
        StoredValue{reply.text.substr(colon + 1), static_cast<std::uint32_t>(*version)});
}

Result<std::optional<StoredValue>> RedisStore::get(StoreGame game, const PositionKey& key) {
    const Result<RespValue> reply = client_.call({"HGET", hash_of(game), field_of(key)});
    if (!reply) return Error{reply.error()};
    return value_of(*reply);
}

Result<std::vector<std::optional<StoredValue>>> RedisStore::get_many(
    StoreGame game, std::span<const PositionKey> keys) {
    std::vector<std::optional<StoredValue>> values;
    values.reserve(keys.size());
    const std::string hash = hash_of(game);
    while (!keys.empty()) {
        const std::span<const PositionKey> batch = keys.first(std::min(max_batch, keys.size()));
        keys = keys.subspan(batch.size());
        std::vector<std::string> fields;
        for (const PositionKey& key : batch)
            fields.push_back(field_of(key));
        std::vector<std::string_view> words = {"HMGET", hash};
        words.insert(words.end(), fields.begin(), fields.end());
        const Result<RespValue> reply = client_.call(words);
        if (!reply) return Error{reply.error()};
        if (reply->items.size() != batch.size()) return strange_reply();
        for (const RespValue& item : reply->items) {
            Result<std::optional<StoredValue>> value = value_of(item);
            if (!value) return Error{value.error()};
            values.push_back(*std::move(value));
        }
    }
    return values;
}

Result<UpdateOutcome> RedisStore::update(StoreGame game, const PositionKey& key,
                                         std::uint32_t expected, std::string_view value) {
    DEFIANCE_ASSERT(!value.empty() && value.size() <= max_stored_value);
    if (value.empty() || value.size() > max_stored_value)
        return Error{"a value of " + std::to_string(value.size()) + " bytes cannot be stored"};
    if (expected == max_version) return Error{"a position was changed too often"};
    const Result<RespValue> reply = client_.call({"EVAL", redis_scripts::update, "1", hash_of(game),
                                                  field_of(key), std::to_string(expected), value});
    if (!reply) return Error{reply.error()};
    if (!reply->is_integer()) return strange_reply();
    return reply->number == 1 ? UpdateOutcome::stored : UpdateOutcome::conflict;
}

Result<std::uint64_t> RedisStore::count(StoreGame game) {
    const Result<RespValue> reply = client_.call({"HLEN", hash_of(game)});
    if (!reply) return Error{reply.error()};
    if (!reply->is_integer() || reply->number < 0) return strange_reply();
    return static_cast<std::uint64_t>(reply->number);
}

std::optional<Error> RedisStore::scan(std::string_view hash, const VisitPair& visit) {
    std::string cursor = "0";
    do {
        const Result<RespValue> reply = client_.call({"HSCAN", hash, cursor, "COUNT", "256"});
        if (!reply) return Error{reply.error()};
        if (reply->items.size() != 2 || !reply->items[0].is_text()) return strange_reply();
        const std::vector<RespValue>& pairs = reply->items[1].items;
        if (pairs.size() % 2 != 0) return strange_reply();
        for (std::size_t i = 0; i < pairs.size(); i += 2)
            if (std::optional<Error> problem = visit(pairs[i], pairs[i + 1])) return problem;
        cursor = reply->items[0].text;
    } while (cursor != "0");
    return std::nullopt;
}

std::optional<Error> RedisStore::for_each(StoreGame game, const Visit& visit) {
    bool is_ended = false;
    const auto visit_pair = [&](const RespValue& field,
                                const RespValue& content) -> std::optional<Error> {
        const Result<std::optional<StoredValue>> value = value_of(content);
        if (!value) return Error{value.error()};
        if (field.text.size() != position_key_bytes || !*value) return strange_reply();
        is_ended = !visit(key_at(field.text, 0), **value);
        if (is_ended) return Error{"ended"};
        return std::nullopt;
    };
    std::optional<Error> problem = scan(hash_of(game), visit_pair);
    return is_ended ? std::nullopt : problem;
}

Result<RespValue> RedisStore::call_queue(std::string_view script,
                                         std::initializer_list<std::string_view> arguments) {
    const std::string text = std::string(redis_scripts::queue_functions) + std::string(script);
    std::vector<std::string_view> words = {"EVAL",
                                           text,
                                           "6",
                                           "defiance:{queue}:tasks",
                                           "defiance:{queue}:waiting",
                                           "defiance:{queue}:leases",
                                           "defiance:{queue}:leased",
                                           "defiance:{queue}:number",
                                           "defiance:{queue}:lease"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return client_.call(words);
}

Result<std::int64_t> RedisStore::call_queue_for_number(
    std::string_view script, std::initializer_list<std::string_view> arguments) {
    const Result<RespValue> reply = call_queue(script, arguments);
    if (!reply) return Error{reply.error()};
    if (!reply->is_integer()) return strange_reply();
    return reply->number;
}

Result<PushOutcome> RedisStore::push(const StoreTask& task) {
    const bool is_sound = task.note.size() <= max_task_note && task.priority >= 0 &&
                          task.priority <= max_task_priority;
    DEFIANCE_ASSERT(is_sound);
    if (!is_sound) return Error{"such a task cannot be queued"};
    const Result<std::int64_t> outcome = call_queue_for_number(
        redis_scripts::push, {task_name(task.game, task.key), std::to_string(task.priority),
                              task.note, std::to_string(QueueFile::max_tasks)});
    if (!outcome) return Error{outcome.error()};
    if (*outcome == 2) return PushOutcome::full;
    return *outcome == 0 ? PushOutcome::queued : PushOutcome::already_queued;
}

Result<std::vector<TaskLease>> RedisStore::lease(int count, double seconds) {
    std::vector<TaskLease> leases;
    if (count <= 0) return leases;
    constexpr int most = 1000;
    const double milliseconds = std::clamp(seconds, 0.0, 1e6) * 1000;
    const Result<RespValue> reply = call_queue(
        redis_scripts::lease, {std::to_string(std::min(count, most)), fixed(milliseconds, 0)});
    if (!reply) return Error{reply.error()};
    if (reply->items.size() % 4 != 0) return strange_reply();
    for (std::size_t i = 0; i < reply->items.size(); i += 4) {
        std::optional<TaskLease> lease =
            read_lease(std::span<const RespValue>(reply->items).subspan(i, 4));
        if (!lease) return strange_reply();
        leases.push_back(*std::move(lease));
    }
    return leases;
}

Result<bool> RedisStore::complete(std::uint64_t lease) {
    const Result<std::int64_t> done =
        call_queue_for_number(redis_scripts::complete, {std::to_string(lease)});
    if (!done) return Error{done.error()};
    return *done == 1;
}

Result<bool> RedisStore::release(std::uint64_t lease) {
    const Result<std::int64_t> done =
        call_queue_for_number(redis_scripts::release, {std::to_string(lease)});
    if (!done) return Error{done.error()};
    return *done == 1;
}

Result<TasksByGame> RedisStore::tasks_by_game() {
    TasksByGame tasks{};
    const auto count = [&](const RespValue& name, const RespValue&) -> std::optional<Error> {
        const std::size_t game =
            name.text.empty() ? tasks.size() : static_cast<unsigned char>(name.text[0]);
        if (game >= tasks.size()) return strange_reply();
        ++tasks[game];
        return std::nullopt;
    };
    if (const std::optional<Error> problem = scan("defiance:{queue}:tasks", count)) return *problem;
    return tasks;
}

Result<QueueSize> RedisStore::queue_size() {
    const Result<RespValue> reply = call_queue(redis_scripts::size, {});
    if (!reply) return Error{reply.error()};
    const std::vector<RespValue>& items = reply->items;
    if (items.size() != 2 || !items[0].is_integer() || !items[1].is_integer() ||
        items[1].number < 0 || items[0].number < items[1].number)
        return strange_reply();
    return QueueSize{static_cast<std::uint64_t>(items[0].number - items[1].number),
                     static_cast<std::uint64_t>(items[1].number)};
}

}  // namespace defiance
