#include <catch2/catch.hpp>

#include <string>

#include <defiance/base/checksum.hpp>
#include <defiance/base/random.hpp>
#include <defiance/rules/english.hpp>
#include <tools/training/number_reader.hpp>

#include "../base/temporary.hpp"
#include "selfplay_support.hpp"

using namespace defiance;
using Catch::Matchers::Contains;

namespace {

TrainingRecord some_record() {
    Position p = start_position(Side::white);
    p.black &= ~bit(*Squares(p.black).begin());
    TrainingRecord record = record_of(p, -37);
    record.result = 1;
    record.flags = TrainingRecord::first_of_game;
    return record;
}

/// A block of one game.
SelfplayBlock block_of(const TrainingRecord& record) {
    SelfplayBlock block;
    block.games.push_back({55, 1, -1, SelfplayEnd::database});
    block.records.push_back(record);
    return block;
}

SelfplayContent read_bytes(const std::string& bytes) {
    const TemporaryFile file(bytes);
    return read_selfplay(file.path());
}

/// What is wrong with a file of one block.
std::string problem_of(const SelfplayBlock& block) {
    return read_bytes(encode(quick_run(block.games.size())) + encode(block)).problem;
}

std::string header_with(const std::string& text) {
    std::string bytes = "DFSELF01";
    append_little_endian(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
    append_little_endian(
        bytes, checksum({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
    return bytes;
}

}  // namespace

TEST_CASE("a record shows the position to the side to move", "[tools][selfplay]") {
    const TrainingRecord record = some_record();
    CHECK(count(record.own) == 12);
    CHECK(count(record.theirs) == 11);
    CHECK((record.own & row(0)) == row(0));
    CHECK(record.score == -37);
    CHECK(record.position().side == Side::black);
    const Position start = start_position(Side::black);
    CHECK(record_of(start, 31'000).score == 2000);
    CHECK(record_of(start, -29'990).score == -2000);
    CHECK(record_of(start, 5).position() == start);
}

TEST_CASE("what was written to a file of self-play is read again", "[tools][selfplay]") {
    const SelfplaySettings settings = quick_run(1);
    const TemporaryFile file(encode(settings) + encode(block_of(some_record())));
    Result<SelfplayReader> reader = SelfplayReader::open(file.path());
    REQUIRE(reader);
    CHECK(reader->settings() == settings);
    CHECK(reader->core().rules.game_type == English::game_type);
    const SelfplayContent content = read_selfplay(file.path());
    CHECK(content.problem.empty());
    CHECK(content.is_complete);
    CHECK_FALSE(content.is_torn);
    REQUIRE(content.games.size() == 1);
    CHECK(content.games[0] == SelfplaySummary{55, 1, -1, SelfplayEnd::database});
    REQUIRE(content.records.size() == 1);
    CHECK(content.records[0] == some_record());
}

TEST_CASE("the blocks of all shards are those of the run", "[tools][selfplay]") {
    for (const std::uint64_t games : {1, 63, 64, 65, 1000}) {
        SelfplaySettings settings = quick_run(games);
        std::uint64_t blocks = 0;
        std::uint64_t in_shards = 0;
        settings.shards = 3;
        for (settings.shard = 0; settings.shard < settings.shards; ++settings.shard) {
            blocks += settings.blocks();
            in_shards += settings.games_before(settings.blocks());
            for (std::uint64_t i = 0; i < settings.blocks(); ++i)
                CHECK(settings.block_number(i) % 3 == settings.shard);
        }
        CHECK(blocks == (games + 63) / 64);
        CHECK(in_shards == games);
    }
}

TEST_CASE("impossible content is refused though its checksum is right", "[tools][selfplay]") {
    CHECK(problem_of(block_of(some_record())).empty());
    const auto with = [](auto change) {
        TrainingRecord record = some_record();
        change(record);
        return problem_of(block_of(record));
    };
    const auto refused = Contains("is damaged");
    CHECK_THAT(with([](auto& r) { r.own |= r.theirs; }), refused);
    CHECK_THAT(with([](auto& r) { r.own = 0; }), refused);
    CHECK_THAT(with([](auto& r) { r.kings = ~(r.own | r.theirs); }), refused);
    CHECK_THAT(with([](auto& r) { r.own |= row(3); }), refused);
    CHECK_THAT(with([](auto& r) { r.score = 2001; }), refused);
    CHECK_THAT(with([](auto& r) { r.score = -2001; }), refused);
    CHECK_THAT(with([](auto& r) { r.result = 2; }), refused);
    CHECK_THAT(with([](auto& r) { r.result = -2; }), refused);
    CHECK_THAT(with([](auto& r) { r.flags = 0; }), refused);
    CHECK_THAT(with([](auto& r) { r.flags = 3; }), refused);

    SelfplayBlock block = block_of(some_record());
    block.number = 1;
    CHECK_THAT(problem_of(block), refused);
    block = block_of(some_record());
    block.games[0].records = 0;
    CHECK_THAT(problem_of(block), refused);
    block = block_of(some_record());
    block.games[0].result = 2;
    CHECK_THAT(problem_of(block), refused);
    block = block_of(some_record());
    block.games[0].end = static_cast<SelfplayEnd>(selfplay_ends);
    CHECK_THAT(problem_of(block), refused);
    block = block_of(some_record());
    CHECK_THAT(read_bytes(encode(quick_run(2)) + encode(block)).problem, refused);
    CHECK_THAT(read_bytes(encode(quick_run(1)) + encode(block) + "x").problem,
               Contains("more blocks"));
    block.records.resize(block.records.size() + max_records_of_game, some_record());
    CHECK_THAT(problem_of(block), refused);
}

TEST_CASE("other files and impossible settings are refused", "[tools][selfplay]") {
    const std::string sound =
        "game english\nengine 1\nevaluation 1\nnodes 1\nseed 1\ngames 1\nshard 0/1\n";
    CHECK(read_bytes(header_with(sound)).problem.empty());
    const auto other_kind = Contains("is not a file of self-play");
    CHECK_THAT(read_bytes("").problem, other_kind);
    CHECK_THAT(read_bytes("DFSELF01").problem, other_kind);
    CHECK_THAT(read_bytes(std::string(100, 'x')).problem, other_kind);
    CHECK_THAT(read_bytes("DFSELF01\xFF\xFF\xFF\xFF" + std::string(100, 'x')).problem, other_kind);
    CHECK_THAT(read_selfplay("/nowhere/absent").problem, Contains("/nowhere/absent"));
    const auto with = [&](const std::string& part, const std::string& other) {
        std::string text = sound;
        text.replace(text.find(part), part.size(), other);
        return read_bytes(header_with(text)).problem;
    };
    CHECK_THAT(with("english", "chess"), Contains("not built into this program"));
    const auto refused = Contains("damaged header");
    CHECK_THAT(with("nodes 1", "nodes 0"), refused);
    CHECK_THAT(with("nodes 1", "nodes 01"), refused);
    CHECK_THAT(with("nodes 1", "nodes"), refused);
    CHECK_THAT(with("games 1", "games 0"), refused);
    CHECK_THAT(with("games 1", "games 100000000001"), refused);
    CHECK_THAT(with("0/1", "1/1"), refused);
    CHECK_THAT(with("0/1", "0/0"), refused);
    CHECK_THAT(with("0/1", "0"), refused);
    CHECK_THAT(with("0/1\n", "0/1"), refused);
    CHECK_THAT(with("0/1\n", "0/1\nmore 1\n"), refused);
    CHECK_THAT(with("seed 1\n", ""), refused);
}

TEST_CASE("no change of a byte goes unnoticed", "[tools][selfplay]") {
    const TemporaryFolder folder;
    REQUIRE(run_to(folder.path() + "/whole", quick_run(70)).empty());
    const std::string whole = content_of(folder.path() + "/whole");
    Random random(3);
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
        std::string bytes = whole;
        // Half of the changes are in the first bytes, where the header and a block begin.
        const std::size_t place = random.below(i % 2 == 0 ? std::size_t{200} : bytes.size());
        bytes[place] = static_cast<char>(bytes[place] ^ (1 + random.below(255)));
        folder.write("changed", bytes);
        const SelfplayContent content = read_selfplay(folder.path() + "/changed");
        // A block that claims to be longer looks like one that was cut.
        const bool is_noticed = !content.problem.empty() || content.is_torn;
        CHECK(is_noticed);
        if (content.problem.empty()) CHECK_FALSE(content.is_complete);
        if (!content.problem.empty()) ++refused;
        if (!content.problem.empty() && content.problem.find("header") == std::string::npos)
            CHECK_FALSE(run_to(folder.path() + "/changed", quick_run(70)).empty());
        if (!content.problem.empty()) CHECK(is_same(content_of(folder.path() + "/changed"), bytes));
    }
    CHECK(refused > 150);
}
