#include <array>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/system.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <defiance/cb/status.hpp>
#include <defiance/rules/game_rules.hpp>

#include "movelist.hpp"

namespace defiance {
namespace {

// How long an infinite search lasts without a playnow flag to end it.
constexpr double seconds_without_playnow = 5;

/// CheckerBoard while getmove runs: its playnow flag and its status line.
class StatusLineObserver : public EngineObserver {
public:
    StatusLineObserver(const GameRules& rules, const Position& root, char* str, int* playnow,
                       bool all_scores)
        : rules_(rules), root_(root), str_(str), playnow_(playnow), all_scores_(all_scores) {}

    bool interrupted() override {
        return playnow_ != nullptr &&
               std::atomic_ref<int>(*playnow_).load(std::memory_order_relaxed) != 0;
    }

    void show(const SearchInfo& info) override {
        if (str_ != nullptr) write_status(str_, status_line(rules_, root_, info, all_scores_));
    }

private:
    const GameRules& rules_;
    Position root_;
    char* str_;
    int* playnow_;
    bool all_scores_;
};

/// The moves to choose from where CheckerBoard is told only some; empty where it is told all.
std::vector<Move> reported_moves(const GameCore& core, const Position& position) {
    if (!can_report_moves(core.rules)) return {};
    ReportedMoves list = report_moves(core, position);
    return list.is_complete ? std::vector<Move>{} : std::move(list.moves);
}

/// What getmove returns for a claim.
int code_of(Claim claim) {
    switch (claim) {
        case Claim::win:
            return cb_win;
        case Claim::loss:
            return cb_loss;
        case Claim::draw:
            return cb_draw;
        default:
            return cb_unknown;
    }
}

/// What CheckerBoard asks for with the parameters maxtime, info and moreinfo of getmove, see
/// cb/api.hpp, and besides:
///  - maxtime of a million seconds or more: until the user wants the move;
///  - maxtime of zero, below, or no number: at once.
TimeControl read_time(double maxtime, int info, int moreinfo) {
    constexpr int exact_bit = 2;
    constexpr double infinite_seconds = 1e6;
    constexpr std::array<double, 4> units = {0, 0.001, 0.01, 0.1};
    const double unit = units[static_cast<std::uint32_t>(info) >> 2 & 3U];
    if (unit > 0) {
        const auto more = static_cast<std::uint32_t>(moreinfo);
        return {Pace::increment, maxtime, (more >> 16) * unit, (more & 0xFFFFU) * unit};
    }
    if (maxtime >= infinite_seconds) return {Pace::infinite, maxtime, 0, 0};
    if (!(maxtime > 0)) return {Pace::at_once, 0, 0, 0};
    return {(info & exact_bit) != 0 ? Pace::exact : Pace::average, maxtime, 0, 0};
}

}  // namespace

int CheckerBoardEngine::get_move(int board[8][8], int color, double maxtime, char* str,
                                 int* playnow, int info, int moreinfo, CBmove* move) {
    if (move != nullptr) *move = describe_nothing(board);
    const Result<Position> position = read_board(board, color);
    if (!position) {
        note_fault(position.error());
        write_status(str, "no move: " + position.error());
        return cb_unknown;
    }
    note_fault({});
    // CheckerBoard may unload the engine while it thinks.
    [[maybe_unused]] static const bool pinned = (pin_module(), true);
    if (rules_.count_moves(*position) == 0) {
        write_status(str, "no move: the side to move has no legal move and has lost");
        return cb_loss;
    }
    StatusLineObserver observer(rules_, *position, str, playnow, engine_.options().all_scores);
    TimeControl time = read_time(maxtime, info, moreinfo);
    if (time.pace == Pace::infinite && playnow == nullptr)
        time = {Pace::deadline, seconds_without_playnow, 0, 0, 0, true};
    const EngineResult result =
        engine_.think(*position, time, observer, reported_moves(engine_.core(), *position));
    DEFIANCE_ASSERT(result.move);
    DEFIANCE_ASSERT(result.move->from != result.move->to || result.move->is_capture());
    if (move != nullptr) *move = describe_legal_move(rules_, *position, *result.move);
    write_board(rules_.after(*position, *result.move), board);
    return code_of(result.claim);
}

}  // namespace defiance
