#include <algorithm>
#include <string>
#include <vector>

#include <defiance/base/text.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr double analysis_seconds = 5;
constexpr int analysis_mebibytes = 64;

std::string value_text(Score score) {
    if (is_win(score)) return "won " + std::to_string(plies_to_end(score));
    if (is_loss(score)) return "lost " + std::to_string(plies_to_end(score));
    return std::to_string(score);
}

template <class Rules>
std::string line_text(Position position, const std::vector<Move>& line) {
    std::string text;
    for (const Move& move : line) {
        text += ' ' + to_text(rules_of<Rules>, position, move);
        position = after<Rules>(position, move);
    }
    return text;
}

template <class Rules>
std::string summary(const Position& position, const SearchInfo& thinking) {
    return "value " + value_text(thinking.score) + " depth " + std::to_string(thinking.depth) +
           " nodes " + std::to_string(thinking.nodes) + " time " + fixed(thinking.seconds, 3) +
           " pv" + line_text<Rules>(position, thinking.line);
}

/// Notes each depth as it is reached.
template <class Rules>
class IterationNotes : public EngineObserver {
public:
    explicit IterationNotes(const Position& position) : position_(position) {}

    void show(const SearchInfo& thinking) override {
        if (thinking.depth == noted_depth_) return;
        noted_depth_ = thinking.depth;
        print_note(summary<Rules>(position_, thinking));
    }

private:
    Position position_;
    int noted_depth_ = 0;
};

template <class Rules>
ExitCode analyze(const Arguments& arguments) {
    const Result<Position> position = position_of<Rules>(arguments);
    if (!position) return fail("analyze: " + position.error());
    SearchLimits limits;
    limits.depth = static_cast<int>(arguments.integer("depth").value_or(max_depth));
    if (const auto nodes = arguments.integer("nodes"))
        limits.nodes = static_cast<std::uint64_t>(*nodes);
    TimeControl control{Pace::unlimited, 0, 0, 0};
    const bool limited = arguments.has("depth") || arguments.has("nodes");
    if (arguments.has("time") || !limited)
        control = {Pace::deadline, arguments.decimal("time").value_or(analysis_seconds), 0, 0};
    if (arguments.integer("threads").value_or(1) > 1)
        print_note("analyze: this version searches with one thread");
    const auto mebibytes = arguments.integer("hash").value_or(analysis_mebibytes);
    TranspositionTable table(static_cast<std::uint32_t>(mebibytes));
    if (table.size_mebibytes() == 0)
        return fail("analyze: out of memory: no " + std::to_string(mebibytes) +
                    " MB for the hash table");
    const Endgames<Rules> endgames(EndgameSettings{});
    Search<Rules> search(table);
    search.use(&endgames);
    IterationNotes<Rules> observer(*position);
    const EngineResult thought =
        think_with(search, Game(rules_of<Rules>, *position), limits, control, observer);
    if (!thought.move)
        print_line("bestmove none value lost 0 depth 0 nodes 0 time 0 pv");
    else
        print_line("bestmove " + to_text(rules_of<Rules>, *position, *thought.move) + ' ' +
                   summary<Rules>(*position, thought.last));
    return exit_done;
}

ExitCode run_analyze(const Arguments& arguments) {
    return with_rules(arguments, [&]<class Rules>() { return analyze<Rules>(arguments); });
}

constexpr Option analyze_options[] = {
    text_option("fen"),
    decimal_option("time", 1'000'000),
    integer_option("nodes", 1, INT64_MAX),
    integer_option("depth", 1, max_depth),
    integer_option("threads", 1, 256),
    integer_option("hash", 1, max_hash_mebibytes),
};

}  // namespace

const Verb analyze_verb = {
    "analyze",
    "[--fen F] [--time S] [--nodes N] [--depth D] [--threads T] [--hash MB]",
    "searches for the best move of a position",
    "Whatever limit is reached first ends the search; 5 seconds when none is given.\n"
    "The value is in 1/100 man for the side to move, or 'won N' or 'lost N' when proven in N "
    "plies.\n"
    "Depths reached are noted on standard error.",
    {analyze_options, "", 0, 0},
    run_analyze};

}  // namespace defiance
