#include <tools/training/selfplay_file.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>
#include <tools/training/number_reader.hpp>

namespace defiance {
namespace {

constexpr std::string_view file_magic = "DFSELF01";
constexpr std::string_view block_magic = "BLOK";
constexpr std::size_t bytes_before_text = 12;
constexpr std::size_t max_text = 4096;
constexpr std::size_t bytes_of_block_head = 20;
constexpr std::size_t bytes_of_summary = 6;
constexpr std::size_t bytes_of_record = 16;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string_view text_of_bytes(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string text_of(const SelfplaySettings& s) {
    return "game " + s.game + "\nengine " + s.engine + "\nevaluation " +
           std::to_string(s.fingerprint) + "\nnodes " + std::to_string(s.nodes) + "\nseed " +
           std::to_string(s.seed) + "\ngames " + std::to_string(s.games) + "\nshard " +
           std::to_string(s.shard) + '/' + std::to_string(s.shards) + '\n' +
           (s.rescored == 0 ? "" : "rescored " + std::to_string(s.rescored) + '\n');
}

/// Takes the settings off their text, line by line.
class SettingsReader {
public:
    explicit SettingsReader(std::string_view text) : text_(text) {}

    /// The value of the next line, which must have this name.
    std::string_view text(std::string_view name) {
        const std::size_t end = text_.find('\n');
        const std::string_view line = text_.substr(0, end);
        text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 1);
        if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ' ') {
            is_sound_ = false;
            return {};
        }
        return line.substr(name.size() + 1);
    }

    std::uint64_t number(std::string_view name, std::uint64_t min, std::uint64_t max) {
        return number_in(text(name), min, max);
    }

    std::uint64_t number_in(std::string_view digits, std::uint64_t min, std::uint64_t max) {
        DEFIANCE_ASSERT(max <= INT64_MAX);
        const auto value =
            parse_integer(digits, static_cast<std::int64_t>(min), static_cast<std::int64_t>(max));
        is_sound_ = is_sound_ && value.has_value();
        return static_cast<std::uint64_t>(value.value_or(0));
    }

    [[nodiscard]] bool is_at_end() const { return text_.empty(); }
    [[nodiscard]] bool is_sound() const { return is_sound_ && is_at_end(); }

private:
    std::string_view text_;
    bool is_sound_ = true;
};

std::optional<SelfplaySettings> parse_settings(std::string_view text) {
    SettingsReader reader(text);
    SelfplaySettings s;
    s.game = reader.text("game");
    s.engine = reader.text("engine");
    s.fingerprint = static_cast<std::uint32_t>(reader.number("evaluation", 0, UINT32_MAX));
    s.nodes = reader.number("nodes", 1, max_selfplay_nodes);
    s.seed = reader.number("seed", 0, INT64_MAX);
    s.games = reader.number("games", 1, max_selfplay_games);
    const std::string_view shard = reader.text("shard");
    const std::size_t slash = std::min(shard.find('/'), shard.size());
    const std::string_view shards = shard.substr(std::min(slash + 1, shard.size()));
    s.shard = static_cast<std::uint32_t>(reader.number_in(shard.substr(0, slash), 0, max_shards));
    s.shards = static_cast<std::uint32_t>(reader.number_in(shards, 1, max_shards));
    if (!reader.is_at_end())
        s.rescored = static_cast<int>(reader.number("rescored", 1, max_rescored_pieces));
    // What is not written as we write it would be another file with the same settings.
    if (!reader.is_sound() || s.shard >= s.shards || text_of(s) != text) return std::nullopt;
    return s;
}

void append_record(std::string& bytes, const TrainingRecord& record) {
    append_little_endian(bytes, record.own);
    append_little_endian(bytes, record.theirs);
    append_little_endian(bytes, record.kings);
    append_little_endian(bytes, record.score);
    append_little_endian(bytes, record.result);
    append_little_endian(bytes, record.flags);
}

TrainingRecord take_record(NumberReader& reader) {
    TrainingRecord record;
    record.own = reader.take<std::uint32_t>();
    record.theirs = reader.take<std::uint32_t>();
    record.kings = reader.take<std::uint32_t>();
    record.score = reader.take<std::int16_t>();
    record.result = reader.take<std::int8_t>();
    record.flags = reader.take<std::uint8_t>();
    return record;
}

bool is_sound(const TrainingRecord& record, bool is_first) {
    const Position p = record.position();
    return p.is_consistent() && !find_fault(p) && record.score >= -max_recorded_score &&
           record.score <= max_recorded_score && record.result >= -1 && record.result <= 1 &&
           record.flags == (is_first ? TrainingRecord::first_of_game : 0);
}

/// Reads the part of a block after its head; false when something in it is impossible.
bool take_games(NumberReader reader, std::size_t games, std::size_t records, SelfplayBlock& block) {
    DEFIANCE_ASSERT(reader.left() == games * bytes_of_summary + records * bytes_of_record);
    std::size_t in_games = 0;
    for (std::size_t i = 0; i < games; ++i) {
        SelfplaySummary game;
        game.plies = reader.take<std::uint16_t>();
        game.records = reader.take<std::uint16_t>();
        game.result = reader.take<std::int8_t>();
        const auto end = reader.take<std::uint8_t>();
        game.end = static_cast<SelfplayEnd>(end);
        in_games += game.records;
        if (game.records > max_records_of_game || game.result < -1 || game.result > 1 ||
            end >= selfplay_ends)
            return false;
        block.games.push_back(game);
    }
    if (in_games != records) return false;
    for (const SelfplaySummary& game : block.games) {
        for (std::size_t i = 0; i < game.records; ++i) {
            block.records.push_back(take_record(reader));
            if (!is_sound(block.records.back(), i == 0)) return false;
        }
    }
    return true;
}

}  // namespace

std::uint64_t SelfplaySettings::games_of_block(std::uint64_t number) const {
    DEFIANCE_ASSERT(number < all_blocks());
    return std::min(games_per_block, games - number * games_per_block);
}

std::uint64_t SelfplaySettings::games_before(std::uint64_t blocks) const {
    DEFIANCE_ASSERT(blocks <= this->blocks());
    if (blocks == 0) return 0;
    return (blocks - 1) * games_per_block + games_of_block(block_number(blocks - 1));
}

std::string encode(const SelfplaySettings& settings) {
    const std::string text = text_of(settings);
    DEFIANCE_ASSERT(text.size() <= max_text && parse_settings(text) == settings);
    std::string bytes(file_magic);
    append_little_endian(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
    append_little_endian(bytes, checksum(bytes_of(bytes)));
    return bytes;
}

std::string encode(const SelfplayBlock& block) {
    std::string rest;
    rest.reserve(bytes_of_block_head + block.games.size() * bytes_of_summary +
                 block.records.size() * bytes_of_record);
    append_little_endian(rest, static_cast<std::uint32_t>(block.number));
    append_little_endian(rest, static_cast<std::uint32_t>(block.games.size()));
    append_little_endian(rest, static_cast<std::uint32_t>(block.records.size()));
    for (const SelfplaySummary& game : block.games) {
        DEFIANCE_ASSERT(game.records <= max_records_of_game);
        append_little_endian(rest, game.plies);
        append_little_endian(rest, game.records);
        append_little_endian(rest, game.result);
        append_little_endian(rest, static_cast<std::uint8_t>(game.end));
    }
    for (const TrainingRecord& record : block.records)
        append_record(rest, record);
    std::string bytes(block_magic);
    append_little_endian(bytes, checksum(bytes_of(rest)));
    return bytes + rest;
}

Error SelfplayReader::damage(const std::string& problem) const {
    return file_error(path_, problem);
}

std::optional<Error> SelfplayReader::read_header() {
    const Error other_kind = damage("is not a file of self-play");
    std::array<std::uint8_t, bytes_before_text> head{};
    if (file_.size() < head.size() || !file_.read_at(0, head)) return other_kind;
    NumberReader reader(std::span<const std::uint8_t>{head}.subspan(file_magic.size()));
    const auto length = reader.take<std::uint32_t>();
    if (text_of_bytes(head).substr(0, file_magic.size()) != file_magic || length > max_text)
        return other_kind;
    const std::size_t checked = bytes_before_text + length;
    const auto bytes = file_.read_part(0, checked + sizeof(std::uint32_t));
    if (!bytes) return damage("has a damaged header: " + bytes.error());
    const std::span all(*bytes);
    NumberReader sum(all.subspan(checked));
    const auto settings = parse_settings(text_of_bytes(all.subspan(bytes_before_text, length)));
    if (sum.take<std::uint32_t>() != checksum(all.first(checked)) || !settings)
        return damage("has a damaged header");
    settings_ = *settings;
    core_ = find_game(settings_.game);
    if (core_ == nullptr) return damage("is of a game that is not built into this program");
    place_ = bytes->size();
    return std::nullopt;
}

Result<SelfplayReader> SelfplayReader::open(const std::string& path) {
    Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return Error{file.error()};
    SelfplayReader reader(path, *std::move(file));
    if (const auto error = reader.read_header()) return *error;
    return reader;
}

/// Whether the file has nothing but zeros from there on, or nothing: after a power failure it may
/// have the length but not yet the bytes of what was written last.
bool SelfplayReader::has_only_zeros(std::uint64_t place) const {
    std::array<std::uint8_t, 4096> part{};
    while (place < file_.size()) {
        const auto length =
            static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), file_.size() - place));
        const std::span bytes = std::span(part).first(length);
        if (!file_.read_at(place, bytes)) return false;
        if (std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; }))
            return false;
        place += length;
    }
    return true;
}

Result<bool> SelfplayReader::next(SelfplayBlock& block) {
    const std::uint64_t left = file_.size() - place_;
    const std::string name = "block " + std::to_string(blocks_);
    if (is_complete() && left != 0) return damage("has more blocks than its header tells");
    std::array<std::uint8_t, bytes_of_block_head> head{};
    if (left < head.size()) return false;
    if (!file_.read_at(place_, head)) return damage("cannot be read");
    NumberReader reader(std::span<const std::uint8_t>{head}.subspan(block_magic.size()));
    const auto sum = reader.take<std::uint32_t>();
    block = {};
    block.number = reader.take<std::uint32_t>();
    const std::size_t games = reader.take<std::uint32_t>();
    const std::size_t records = reader.take<std::uint32_t>();
    if (text_of_bytes(head).substr(0, block_magic.size()) != block_magic ||
        block.number != settings_.block_number(blocks_) ||
        games != settings_.games_of_block(block.number) || records > games * max_records_of_game) {
        if (has_only_zeros(place_ + head.size())) return false;
        return damage("is damaged at " + name);
    }
    const std::size_t size = head.size() + games * bytes_of_summary + records * bytes_of_record;
    if (left < size) return false;
    const auto bytes = file_.read_part(place_, size);
    if (!bytes) return damage("cannot be read at " + name + ": " + bytes.error());
    const std::span checked = std::span(*bytes).subspan(block_magic.size() + sizeof(sum));
    const std::span rest = std::span(*bytes).subspan(head.size());
    if (checksum(checked) != sum || !take_games(NumberReader(rest), games, records, block)) {
        // Where so many bytes at the end of the block are none of those that were written.
        constexpr std::size_t sector = 512;
        if (has_only_zeros(place_ + size - std::min(size, sector))) return false;
        return damage("is damaged in " + name);
    }
    place_ += size;
    ++blocks_;
    return true;
}

}  // namespace defiance
