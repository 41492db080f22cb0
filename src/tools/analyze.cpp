#include <string>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr double analysis_seconds = 5;
constexpr int analysis_mebibytes = 64;

std::string value_text(Score score) {
    if (is_proven_win(score)) return "won " + std::to_string(plies_to_end(score));
    if (is_proven_loss(score)) return "lost " + std::to_string(plies_to_end(score));
    return std::to_string(in_centimen(score));
}

std::string line_text(const GameRules& rules, Position position, const std::vector<Move>& line) {
    std::string text;
    for (const Move& move : line) {
        DEFIANCE_ASSERT((position.own() & bit(move.from)) != 0);
        text += ' ' + to_text(rules, position, move);
        position = rules.after(position, move);
    }
    return text;
}

std::string summary(const GameRules& rules, const Position& position, const SearchInfo& thinking) {
    return "value " + value_text(thinking.score) + " depth " + std::to_string(thinking.depth) +
           " nodes " + std::to_string(thinking.nodes) + " time " + fixed(thinking.seconds, 3) +
           " pv" + line_text(rules, position, thinking.line);
}

/// Notes each depth as it is reached.
class IterationNotes : public EngineObserver {
public:
    IterationNotes(const GameRules& rules, const Position& position)
        : rules_(rules), position_(position) {}

    void show(const SearchInfo& thinking) override {
        DEFIANCE_ASSERT(thinking.depth >= 0 && thinking.depth <= max_depth);
        if (thinking.depth == noted_depth_) return;
        noted_depth_ = thinking.depth;
        print_note(summary(rules_, position_, thinking));
    }

private:
    const GameRules& rules_;
    Position position_;
    int noted_depth_ = 0;
};

ExitCode analyze(const Arguments& arguments) {
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    const GameRules& rules = (*core)->rules;
    const Result<Position> position = position_of(rules, arguments);
    if (!position) return fail("analyze: " + position.error());
    SearchLimits limits;
    limits.depth = static_cast<int>(arguments.integer("depth").value_or(max_depth));
    DEFIANCE_ASSERT(limits.depth >= 1 && limits.depth <= max_depth);
    if (const auto nodes = arguments.integer("nodes"))
        limits.nodes = static_cast<std::uint64_t>(*nodes);
    TimeControl control{.mode = TimeMode::unlimited};
    const bool limited = arguments.has("depth") || arguments.has("nodes");
    if (arguments.has("time") || !limited)
        control = {.mode = TimeMode::deadline,
                   .seconds = arguments.decimal("time").value_or(analysis_seconds)};
    limits.threads = static_cast<int>(arguments.integer("threads").value_or(1));
    const auto mebibytes = arguments.integer("hash").value_or(analysis_mebibytes);
    TranspositionTable table(static_cast<std::uint32_t>(mebibytes));
    if (!table)
        return fail("analyze: out of memory: no " + std::to_string(mebibytes) +
                    " MB for the hash table");
    const auto endgames = (*core)->open_endgames(EndgameSettings{});
    const auto search = (*core)->make_search(table);
    search->use(endgames.get());
    IterationNotes observer(rules, *position);
    const EngineResult thought =
        think_with(*search, Game(rules, *position), limits, control, observer);
    DEFIANCE_ASSERT(thought.move.has_value() == (rules.count_moves(*position) != 0));
    if (!thought.move)
        print_line("bestmove none value lost 0 depth 0 nodes 0 time 0 pv");
    else
        print_line("bestmove " + to_text(rules, *position, *thought.move) + ' ' +
                   summary(rules, *position, thought.last));
    return exit_done;
}

constexpr Option analyze_options[] = {
    text_option("fen"),
    decimal_option("time", 1'000'000),
    integer_option("nodes", 1, INT64_MAX),
    integer_option("depth", 1, max_depth),
    integer_option("threads", 1, max_search_threads),
    integer_option("hash", 1, max_hash_mebibytes),
};

}  // namespace

const Verb analyze_verb = {
    "analyze",
    "[--game G] [--fen F] [--time S] [--nodes N] [--depth D] [--threads T] [--hash MB]",
    "searches for the best move of a position",
    "Whatever limit is reached first ends the search; 5 seconds when none is given.\n"
    "The value is in 1/100 man for the side to move, or 'won N' or 'lost N' when proven in N\n"
    "plies. A win of unknown length, which an endgame database knows, is 7000 or more.\n"
    "Depths reached are noted on standard error. --threads: 1 when left out; --hash: 64.",
    {analyze_options, "", 0, 0},
    analyze};

}  // namespace defiance
