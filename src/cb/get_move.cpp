#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
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

    void show_wait(std::string_view what) override {
        if (str_ != nullptr) write_status(str_, "value=?  " + std::string(what));
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
/// cb/api.hpp.
TimeControl read_time(double maxtime, int info, int moreinfo) {
    constexpr double infinite_seconds = 1e6;
    const std::uint32_t clock = static_cast<std::uint32_t>(info) >> cb_clock_shift & 3U;
    if (clock != 0) {
        const double unit = cb_clock_units[clock];
        const auto more = static_cast<std::uint32_t>(moreinfo);
        return {.mode = TimeMode::increment,
                .remaining = (more >> 16) * unit,
                .increment = (more & 0xFFFFU) * unit};
    }
    if (maxtime >= infinite_seconds) return {.mode = TimeMode::infinite};
    if (!(maxtime > 0)) return {.mode = TimeMode::at_once};
    return {.mode = (info & cb_exact_time) != 0 ? TimeMode::exact : TimeMode::average,
            .seconds = maxtime};
}

}  // namespace

int CheckerBoardEngine::get_move(int board[8][8], int color, double maxtime, char* str,
                                 int* playnow, int info, int moreinfo, CBmove* move) {
    if (move != nullptr) *move = describe_nothing(board);
    if ((info & cb_new_game) != 0) engine_.begin_game();
    const Result<Position> position = read_board(board, color);
    if (!position) {
        note_fault(position.error());
        write_status(str, "no move: " + position.error());
        return cb_unknown;
    }
    const auto fault = find_fault(*position);  // a side without pieces
    note_fault(fault ? std::string(describe(*fault)) : std::string());
    // CheckerBoard may unload the engine while it thinks.
    [[maybe_unused]] static const bool pinned = (pin_module(), true);
    if (rules_.count_moves(*position) == 0) {
        write_status(str, "no move: the side to move has no legal move and has lost");
        return cb_loss;
    }
    const EngineResult result =
        fault ? move_against_nobody(*position, str)
              : think(*position, read_time(maxtime, info, moreinfo), str, playnow);
    DEFIANCE_ASSERT(result.move);
    DEFIANCE_ASSERT(result.move->from != result.move->to || result.move->is_capture());
    if (move != nullptr) *move = describe_legal_move(rules_, *position, *result.move);
    write_board(rules_.after(*position, *result.move), board);
    return code_of(result.claim);
}

EngineResult CheckerBoardEngine::think(const Position& position, TimeControl time, char* str,
                                       int* playnow) {
    StatusLineObserver observer(rules_, position, str, playnow, engine_.options().all_scores);
    if (time.mode == TimeMode::infinite && playnow == nullptr)
        time = {
            .mode = TimeMode::deadline, .seconds = seconds_without_playnow, .is_analysis = true};
    return engine_.think(position, time, observer, reported_moves(engine_.core(), position));
}

/// Any move that CheckerBoard knows: the game is won.
EngineResult CheckerBoardEngine::move_against_nobody(const Position& position, char* str) const {
    write_status(str, "value=won  the opponent has no pieces");
    EngineResult result;
    result.move = report_any_moves(rules_, position).moves.at(0);
    result.claim = claim_under(engine_.options().claim, Claim::win, 0);
    return result;
}

}  // namespace defiance
