#include <atomic>
#include <utility>
#include <vector>

#include <defiance/cb/board.hpp>
#include <defiance/cb/claim.hpp>
#include <defiance/cb/gui_faults.hpp>
#include <defiance/cb/host.hpp>
#include <defiance/cb/movelist.hpp>
#include <defiance/cb/status.hpp>
#include <defiance/cb/time_info.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/path.hpp>

namespace defiance {
namespace {

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

    void show(const SearchInfo& thinking) override {
        if (str_ != nullptr) write_status(str_, status_line(rules_, root_, thinking, all_scores_));
    }

private:
    const GameRules& rules_;
    Position root_;
    char* str_;
    int* playnow_;
    bool all_scores_;
};

CBmove describe_fully(const GameRules& rules, const Position& position, const Move& move) {
    return describe_move(position, rules.after(position, move), move,
                         path_of(rules, position, move));
}

/// The moves to choose among when CheckerBoard does not hear of all; empty when it does.
std::vector<Move> announced_moves(const GameCore& core, const Position& position) {
    if (!can_announce_moves(core.rules)) return {};
    Announcement list = announce_moves(core, position);
    return list.is_whole ? std::vector<Move>{} : std::move(list.moves);
}

/// Describes the first legal move between two square numbers; false when there is none.
bool describe_between(const GameRules& rules, const Position& position, int from, int to,
                      CBmove* move) {
    MoveList moves;
    rules.generate_moves(position, moves);
    for (const Move& m : moves) {
        if (m.from != rules.index(from) || m.to != rules.index(to)) continue;
        if (move != nullptr) *move = describe_fully(rules, position, m);
        return true;
    }
    return false;
}

/// Describes the move of a three-move opening that CheckerBoard means by the two wrong numbers:
/// flipped back, with the rows as they are or mirrored like the board of these games. Where an
/// earlier move of the opening has taken the place of its piece, any move will do.
void describe_opening_move(const GameRules& rules, const Position& position, int from, int to,
                           CBmove* move) {
    const auto turned_back = [](int number) { return 33 - number; };
    const auto mirrored = [](int number) { return (number - 1) / 4 * 8 + 5 - number; };
    if (describe_between(rules, position, turned_back(from), turned_back(to), move)) return;
    if (describe_between(rules, position, mirrored(turned_back(from)), mirrored(turned_back(to)),
                         move))
        return;
    MoveList moves;
    rules.generate_moves(position, moves);
    if (!moves.empty() && move != nullptr) *move = describe_fully(rules, position, moves[0]);
}

}  // namespace

int CheckerBoardEngine::get_move(int board[8][8], int color, double maxtime, char* str,
                                 int* playnow, int info, int moreinfo, CBmove* move) {
    if (move != nullptr) *move = describe_nothing(board);
    const Result<Position> position = read_board(board, color);
    if (!position) {
        write_status(str, "no move: " + position.error());
        return cb_unknown;
    }
    if (rules_.count_moves(*position) == 0) {
        write_status(str, "no move: the side to move has no legal move and has lost");
        return cb_loss;
    }
    StatusLineObserver observer(rules_, *position, str, playnow, engine_.options().all_scores);
    TimeControl time = read_time(maxtime, info, moreinfo);
    // Without the flag nobody could ever end an endless search.
    if (time.pace == Pace::endless && playnow == nullptr)
        time = {Pace::deadline, seconds_without_playnow, 0, 0};
    const EngineResult result =
        engine_.think(*position, time, observer, announced_moves(engine_.core(), *position));
    if (move != nullptr) *move = describe_fully(rules_, *position, *result.move);
    write_board(rules_.after(*position, *result.move), board);
    return code_of(result.claim);
}

int CheckerBoardEngine::is_legal(const int board[8][8], int color, int from, int to,
                                 CBmove* move) const {
    if (move != nullptr) *move = describe_nothing(board);
    const Result<Position> position = read_board(board, color);
    if (!position || !GameRules::is_square_number(from) || !GameRules::is_square_number(to))
        return 0;
    if (describe_between(rules_, *position, from, to, move)) return 1;
    if (has_wrong_openings(rules_)) describe_opening_move(rules_, *position, from, to, move);
    return 0;
}

}  // namespace defiance
