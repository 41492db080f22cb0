#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/training/selfplay_file.hpp>
#include <tools/training/tasks.hpp>

namespace defiance {
namespace {

std::string share(std::uint64_t part, std::uint64_t whole) {
    DEFIANCE_ASSERT(part <= whole);
    const double percent =
        whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
    return std::to_string(part) + " (" + fixed(percent, 1) + " %)";
}

/// What is counted in the games of a file.
class Counts {
public:
    void add(const SelfplayBlock& block) {
        for (const SelfplaySummary& game : block.games) {
            ++games_;
            plies_ += game.plies;
            ++results_[result_index(game.result)];
            ++ends_[static_cast<std::size_t>(game.end)];
        }
        for (const TrainingRecord& record : block.records) {
            ++positions_;
            ++values_[result_index(record.result)];
            ++pieces_[static_cast<std::size_t>(count(record.own | record.theirs))];
        }
    }

    void print(const SelfplaySettings& settings) const {
        print_line("games " + std::to_string(games_) + " of " +
                   std::to_string(settings.games_before(settings.blocks())));
        print_line(
            "plies a game " +
            fixed(games_ == 0 ? 0 : static_cast<double>(plies_) / static_cast<double>(games_), 1));
        print_line("first side won " + share(results_[2], games_) + " lost " +
                   share(results_[0], games_) + " drawn " + share(results_[1], games_));
        std::string ends = "ended by";
        for (std::size_t i = 0; i < selfplay_ends; ++i)
            ends += ' ' + std::string(end_names[i]) + ' ' + std::to_string(ends_[i]);
        print_line(ends);
        print_line("positions " + std::to_string(positions_));
        print_line("side to move won " + share(values_[2], positions_) + " lost " +
                   share(values_[0], positions_) + " drawn " + share(values_[1], positions_));
        for (std::size_t i = 0; i < pieces_.size(); ++i)
            if (pieces_[i] != 0)
                print_line("pieces " + std::to_string(i) + " positions " +
                           share(pieces_[i], positions_));
    }

private:
    static constexpr std::array<std::string_view, selfplay_ends> end_names = {
        "no-move", "repetition", "no-progress", "database", "scores-won", "scores-level", "length"};

    static std::size_t result_index(int result) { return static_cast<std::size_t>(result + 1); }

    std::uint64_t games_ = 0;
    std::uint64_t plies_ = 0;
    std::uint64_t positions_ = 0;
    std::array<std::uint64_t, 3> results_{};  // lost, drawn, won
    std::array<std::uint64_t, 3> values_{};
    std::array<std::uint64_t, selfplay_ends> ends_{};
    std::array<std::uint64_t, 25> pieces_{};
};

/// Calls take(block) for each block of the file until it returns false.
template <class Take>
std::optional<Error> read_blocks(SelfplayReader& reader, Take take) {
    SelfplayBlock block;
    for (;;) {
        const Result<bool> is_read = reader.next(block);
        if (!is_read) return Error{is_read.error()};
        if (!*is_read || !take(block)) return std::nullopt;
    }
}

Result<SelfplayReader> open_only_file(const Arguments& arguments) {
    constexpr std::size_t words = 2;
    if (arguments.positionals().size() != words) return Error{"one FILE must be given"};
    return SelfplayReader::open(std::string(arguments.positionals().back()));
}

}  // namespace

ExitCode describe_selfplay(const Arguments& arguments) {
    Result<SelfplayReader> opened = open_only_file(arguments);
    if (!opened) return fail("selfplay info: " + opened.error());
    SelfplayReader reader = *std::move(opened);
    const SelfplaySettings& settings = reader.settings();
    Counts counts;
    const auto error = read_blocks(reader, [&](const SelfplayBlock& block) {
        counts.add(block);
        return true;
    });
    if (error) return fail("selfplay info: " + error->text);
    print_line("game " + settings.game + " engine " + settings.engine + " evaluation " +
               std::to_string(settings.fingerprint));
    print_line("nodes " + std::to_string(settings.nodes) + " seed " +
               std::to_string(settings.seed) + " shard " + std::to_string(settings.shard) + '/' +
               std::to_string(settings.shards));
    if (settings.rescored != 0)
        print_line("rescored by databases of " + std::to_string(settings.rescored) + " pieces");
    counts.print(settings);
    if (reader.is_torn()) print_note("the last block is incomplete");
    return exit_done;
}

ExitCode dump_selfplay(const Arguments& arguments) {
    Result<SelfplayReader> opened = open_only_file(arguments);
    if (!opened) return fail("selfplay dump: " + opened.error());
    SelfplayReader reader = *std::move(opened);
    std::int64_t left =
        arguments.integer("first").value_or(std::numeric_limits<std::int64_t>::max());
    const auto error = read_blocks(reader, [&](const SelfplayBlock& block) {
        for (const TrainingRecord& record : block.records) {
            if (left-- <= 0) return false;
            print_line(to_fen(reader.core().rules, record.position()) + ' ' +
                       std::to_string(record.score) + ' ' + std::to_string(record.result));
        }
        return left > 0;
    });
    if (error) return fail("selfplay dump: " + error->text);
    return exit_done;
}

}  // namespace defiance
