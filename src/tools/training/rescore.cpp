#include <tools/training/rescore.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <tools/training/open_databases.hpp>
#include <tools/training/selfplay_output.hpp>
#include <tools/training/tasks.hpp>

namespace defiance {
namespace {

/// Positions that are looked at for one gap between records.
constexpr int max_positions_between = 50'000;
/// Positions that are looked up for one record that the databases do not keep itself.
constexpr std::size_t max_positions_looked_up = 40;

/// Finds a way from one position to another.
class WayFinder {
public:
    WayFinder(const GameRules& rules, const TrainingRecord& to)
        : rules_(rules), targets_{to.position(), flipped(to.position())} {}

    /// True when just so many plies lead from p to the target.
    [[nodiscard]] bool is_way(const Position& p, int plies) {
        if (plies == 0) return p == targets_[0] || p == targets_[1];
        if (positions_left_-- <= 0) return false;
        MoveList moves;
        rules_.generate_moves(p, moves);
        return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
            const Position next = rules_.after(p, move);
            return is_in_reach(next, plies - 1) && is_way(next, plies - 1);
        });
    }

    /// False when a piece is missing already, or more squares are still to be reached than there
    /// are moves.
    [[nodiscard]] bool is_in_reach(const Position& p, int plies) const {
        const Side side_at_end = plies % 2 == 0 ? p.side : opponent(p.side);
        const Position& target = targets_[side_at_end == Side::black ? 0 : 1];
        const auto can_become = [](Bitboard pieces, Bitboard wanted, int moves) {
            return count(pieces) >= count(wanted) && count(wanted & ~pieces) <= moves;
        };
        const int of_mover = (plies + 1) / 2;
        const int of_other = plies / 2;
        const bool is_black = p.side == Side::black;
        return can_become(p.black, target.black, is_black ? of_mover : of_other) &&
               can_become(p.white, target.white, is_black ? of_other : of_mover);
    }

private:
    const GameRules& rules_;
    std::array<Position, 2> targets_;  // with black to move, and with white
    int positions_left_ = max_positions_between;
};

int value_of(Wld wld) {
    return wld == Wld::win ? 1 : wld == Wld::draw ? 0 : -1;
}

/// The score of a position with a known result.
Score known_score(int result, Score score) {
    return result == 0 ? 0 : result * std::max(result * score, min_rescored_win);
}

/// Rescores the records of one game.
void rescore_game(std::span<TrainingRecord> records, const EndgameDatabases& endgames,
                  RescoreCounts& counts) {
    std::optional<int> next;  // of the next known position, for the side to move here
    for (std::size_t i = records.size(); i-- > 0;) {
        TrainingRecord& record = records[i];
        if (next) {
            const auto plies = plies_between(endgames.rules(), record, records[i + 1]);
            if (!plies)
                next.reset();
            else if (*plies % 2 != 0)
                next = -*next;
        }
        if (count(record.own | record.theirs) <= endgames.pieces()) {
            if (const auto known = endgames.resolve(record.position(), max_positions_looked_up)) {
                next = value_of(known->wld);
                record.score = static_cast<std::int16_t>(known_score(*next, record.score));
                ++counts.known;
            }
        }
        ++counts.records;
        if (!next || *next == record.result) continue;
        record.result = static_cast<std::int8_t>(*next);
        ++counts.changed;
    }
}

std::optional<Error> append_rescored(SelfplayOutput& output, SelfplayReader& reader,
                                     const EndgameDatabases& endgames, RescoreCounts& counts) {
    for (SelfplayBlock block;;) {
        const Result<bool> is_read = reader.next(block);
        if (!is_read) return Error{is_read.error()};
        if (!*is_read) return std::nullopt;
        const RescoreCounts more = rescore(block, endgames);
        counts.records += more.records;
        counts.known += more.known;
        counts.changed += more.changed;
        if (auto error = output.append(block)) return error;
    }
}

}  // namespace

std::optional<int> plies_between(const GameRules& rules, const TrainingRecord& from,
                                 const TrainingRecord& to) {
    WayFinder finder(rules, to);
    for (int plies = 1; plies <= max_plies_between; ++plies)
        if (finder.is_in_reach(from.position(), plies) && finder.is_way(from.position(), plies))
            return plies;
    return std::nullopt;
}

RescoreCounts rescore(SelfplayBlock& block, const EndgameDatabases& endgames) {
    RescoreCounts counts;
    std::size_t first = 0;
    for (const SelfplaySummary& game : block.games) {
        DEFIANCE_ASSERT(first + game.records <= block.records.size());
        rescore_game(std::span(block.records).subspan(first, game.records), endgames, counts);
        first += game.records;
    }
    return counts;
}

Result<std::optional<RescoreCounts>> rescore_file(const std::string& output,
                                                  const std::string& input,
                                                  const EndgameDatabases& endgames) {
    Result<SelfplayReader> opened_input = SelfplayReader::open(input);
    if (!opened_input) return Error{opened_input.error()};
    SelfplayReader reader = *std::move(opened_input);
    DEFIANCE_ASSERT(&reader.core().rules == &endgames.rules());
    SelfplaySettings settings = reader.settings();
    if (settings.rescored >= endgames.pieces())
        return file_error(input, "is rescored by databases as large");
    settings.rescored = endgames.pieces();
    auto begun = SelfplayOutput::begin(output, settings, std::span(&input, 1));
    if (!begun) return Error{begun.error()};
    std::optional<SelfplayOutput> file = *std::move(begun);
    if (!file) return std::optional<RescoreCounts>();
    RescoreCounts counts;
    auto error = append_rescored(*file, reader, endgames, counts);
    if (!error) error = file->finish();
    counts.is_complete = reader.is_complete();
    if (!error) return std::optional(counts);
    file->abandon();
    return *std::move(error);
}

ExitCode rescore_selfplay(const Arguments& arguments) {
    const auto& words = arguments.positionals();
    if (words.size() != 3) return fail("selfplay rescore: OUT and one FILE must be given");
    if (!arguments.has("egdb")) return fail("selfplay rescore: --egdb is missing");
    const std::string output(words[1]);
    const std::string input(words[2]);
    // The file tells the game.
    const Result<SelfplayReader> reader = SelfplayReader::open(input);
    if (!reader) return fail("selfplay rescore: " + reader.error());
    const auto endgames = open_databases(reader->core(), *arguments.text("egdb"));
    if (!endgames) return fail("selfplay rescore: --egdb: " + endgames.error());
    const auto done = rescore_file(output, input, **endgames);
    if (!done) return fail("selfplay rescore: " + done.error());
    const std::optional<RescoreCounts>& counts = *done;
    if (!counts) {
        print_note(output + " is complete already");
        return exit_done;
    }
    if (!counts->is_complete)
        print_note(input +
                   " is incomplete: the games that it has are rescored, and the same "
                   "command adds the others when it has them");
    print_line("positions " + std::to_string(counts->records) + " known " +
               std::to_string(counts->known) + " with another result " +
               std::to_string(counts->changed));
    return exit_done;
}

}  // namespace defiance
