#include <tools/maintenance/position_dump.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/maintenance/tasks.hpp>
#include <tools/posdb/position_database.hpp>
#include <tools/posdb/position_line.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

constexpr std::string_view game_word = "game";

/// A position and what decides its place in a dump.
struct DumpKey {
    std::uint8_t ply = 0;
    PositionKey key;

    friend bool operator<(const DumpKey& a, const DumpKey& b) {
        return std::tie(a.ply, a.key.own, a.key.other, a.key.kings) <
               std::tie(b.ply, b.key.own, b.key.other, b.key.kings);
    }
};

/// The positions of a game in the order in which they are written.
Result<std::vector<DumpKey>> keys_in_order(const GameCore& core, PositionStore& store,
                                           DumpCounts& counts, const GoOn& go_on) {
    const auto all = store.count(store_game_of(core.rules));
    if (!all) return Error{all.error()};
    std::vector<DumpKey> keys;
    bool is_ended = false;
    const auto error = store.for_each(
        store_game_of(core.rules), [&](const PositionKey& key, const StoredValue& value) {
            if (const auto known = decode_sound(core.rules, key, value.bytes))
                keys.push_back({known->ply, key});
            else
                ++counts.damaged;
            is_ended = !go_on(keys.size(), 2 * *all);
            return !is_ended;
        });
    if (error) return *error;
    if (is_ended) return Error{"stopped"};
    std::sort(keys.begin(), keys.end());
    // A server may show a position twice.
    const auto is_same = [](const DumpKey& a, const DumpKey& b) { return a.key == b.key; };
    keys.erase(std::unique(keys.begin(), keys.end(), is_same), keys.end());
    return keys;
}

}  // namespace

Result<DumpCounts> dump_positions(const GameCore& core, PositionStore& store,
                                  const std::function<bool(std::string_view)>& write,
                                  const GoOn& go_on) {
    DumpCounts counts;
    const auto sorted = keys_in_order(core, store, counts, go_on);
    if (!sorted) return Error{sorted.error()};
    if (sorted->empty()) return counts;
    const Error unwritten = {"the text cannot be written"};
    if (!write(std::string(game_word) + ' ' + std::string(core.rules.file_word) + ' ' +
               std::to_string(sorted->size())))
        return unwritten;
    constexpr std::size_t batch = 256;
    std::vector<PositionKey> keys;
    for (std::size_t at = 0; at < sorted->size(); at += keys.size()) {
        if (!go_on(sorted->size() + at, 2 * sorted->size())) return Error{"stopped"};
        keys.clear();
        for (std::size_t i = at; i < std::min(at + batch, sorted->size()); ++i)
            keys.push_back((*sorted)[i].key);
        const auto values = store.get_many(store_game_of(core.rules), keys);
        if (!values) return Error{values.error()};
        for (std::size_t i = 0; i < keys.size(); ++i) {
            auto known = (*values)[i] ? decode_sound(core.rules, keys[i], (*values)[i]->bytes)
                                      : std::optional<KnownPosition>();
            if (!known) return Error{"the store was changed meanwhile"};
            if (!write(position_line(core.rules, {keys[i], *std::move(known)}))) return unwritten;
            ++counts.positions;
        }
    }
    DEFIANCE_ASSERT(counts.positions == sorted->size());
    return counts;
}

BulkAddition& StoreAddition::of(const GameCore& core) {
    auto& game = games_[static_cast<std::size_t>(store_game_of(core.rules))];
    if (!game) game = std::make_unique<BulkAddition>(core, store_);
    return *game;
}

Result<bool> StoreAddition::finish(const GoOn& go_on) {
    std::uint64_t before = 0;
    for (const auto& game : games_) {
        if (!game) continue;
        const auto done =
            game->finish([&](std::size_t positions) { return go_on(before + positions, added()); });
        if (!done || !*done) return done;
        before += game->added();
    }
    if (auto error = store_.commit()) return *error;
    return true;
}

std::uint64_t StoreAddition::added() const {
    std::uint64_t sum = 0;
    for (const auto& game : games_)
        sum += game ? game->added() : 0;
    return sum;
}

std::uint64_t StoreAddition::changed() const {
    std::uint64_t sum = 0;
    for (const auto& game : games_)
        sum += game ? game->changed() : 0;
    return sum;
}

Result<bool> DumpReader::read(LineSource& lines, const Fault& fault, const GoOn& go_on) {
    game_ = only_;
    is_game_unknown_ = false;
    promised_.reset();
    for (;;) {
        if (!go_on(lines.bytes_read(), lines.size())) return false;
        std::string_view line;
        const auto outcome = lines.read(line);
        if (!outcome) return Error{outcome.error()};
        if (*outcome == LineSource::Outcome::end) break;
        if (auto error = read_line(*outcome, line, lines.number(), fault)) return *error;
    }
    end_game(lines.number(), fault);
    return true;
}

/// Error: of the store.
std::optional<Error> DumpReader::read_line(LineSource::Outcome outcome, std::string_view line,
                                           std::uint64_t number, const Fault& fault) {
    DEFIANCE_ASSERT(outcome != LineSource::Outcome::end);
    if (outcome == LineSource::Outcome::too_long) {
        ++seen_;
        fault(number, "the line is too long");
        return std::nullopt;
    }
    if (number == 1) line = without_byte_order_mark(line);
    line = trimmed(line);
    if (line.empty() || line[0] == '#') return std::nullopt;
    std::string_view rest = line;
    if (take_word(rest) == game_word) {
        end_game(number, fault);
        begin_game(rest, number, fault);
        return std::nullopt;
    }
    ++seen_;
    if (is_game_unknown_ || (only_ != nullptr && game_ != only_)) return std::nullopt;
    if (game_ == nullptr) {
        fault(number, "no line before it says which game it is of; --game can say it");
        return std::nullopt;
    }
    // Who writes such lines by hand may leave the last end out, and does not count them.
    if (outcome == LineSource::Outcome::unfinished && promised_) {
        fault(number, "the file ends within the line");
        return std::nullopt;
    }
    const auto entry = read_position_line(game_->rules, line);
    if (!entry) {
        fault(number, entry.error());
        return std::nullopt;
    }
    return addition_.of(*game_).add(entry->key, entry->known);
}

void DumpReader::begin_game(std::string_view words, std::uint64_t number, const Fault& fault) {
    const std::string_view name = take_word(words);
    game_ = find_game(name);
    is_game_unknown_ = game_ == nullptr;
    if (is_game_unknown_)
        fault(number, "there is no game '" + shown(name) + "'; its lines are passed over");
    const auto count = parse_integer(words, 0, std::numeric_limits<std::int64_t>::max());
    if (!words.empty() && !count) fault(number, "the number of positions is none");
    if (count) promised_ = static_cast<std::uint64_t>(*count);
}

void DumpReader::end_game(std::uint64_t number, const Fault& fault) {
    if (promised_ && *promised_ != seen_)
        fault(number, "there are " + std::to_string(seen_) + " lines of positions, not " +
                          std::to_string(*promised_));
    promised_.reset();
    seen_ = 0;
}

}  // namespace defiance
