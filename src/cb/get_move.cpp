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
#include <defiance/rules/generator.hpp>
#include <defiance/rules/numbering.hpp>
#include <defiance/rules/path.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

constexpr double seconds_without_playnow = 5;

/// CheckerBoard while getmove runs: its playnow flag and its status line.
template <class Rules>
class StatusLineObserver : public EngineObserver {
public:
    StatusLineObserver(const Position& root, char* str, int* playnow, bool all_scores)
        : root_(root), str_(str), playnow_(playnow), all_scores_(all_scores) {}

    bool interrupted() override {
        return playnow_ != nullptr &&
               std::atomic_ref<int>(*playnow_).load(std::memory_order_relaxed) != 0;
    }

    void show(const SearchInfo& thinking) override {
        if (str_ != nullptr) write_status(str_, status_line<Rules>(root_, thinking, all_scores_));
    }

private:
    Position root_;
    char* str_;
    int* playnow_;
    bool all_scores_;
};

template <class Rules>
CBmove describe_fully(const Position& position, const Move& move) {
    return describe_move(position, after<Rules>(position, move), move,
                         path_of<Rules>(position, move));
}

/// The moves to choose among when CheckerBoard does not hear of all; empty when it does.
template <class Rules>
std::vector<Move> announced_moves(const Position& position) {
    if constexpr (can_announce_moves<Rules>) {
        Announcement list = announce_moves<Rules>(position);
        if (!list.is_whole) return std::move(list.moves);
    }
    return {};
}

/// Describes the first legal move between two square numbers; false when there is none.
template <class Rules>
bool describe_between(const Position& position, int from, int to, CBmove* move) {
    MoveList moves;
    generate_moves<Rules>(position, moves);
    for (const Move& m : moves) {
        if (m.from != Numbering<Rules>::index(from) || m.to != Numbering<Rules>::index(to))
            continue;
        if (move != nullptr) *move = describe_fully<Rules>(position, m);
        return true;
    }
    return false;
}

/// Describes the move of a three-move opening that CheckerBoard means by the two wrong numbers:
/// flipped back, with the rows as they are or mirrored like the board of these games. Where an
/// earlier move of the opening has taken the place of its piece, any move will do.
template <class Rules>
void describe_opening_move(const Position& position, int from, int to, CBmove* move) {
    const auto turned_back = [](int number) { return 33 - number; };
    const auto mirrored = [](int number) { return (number - 1) / 4 * 8 + 5 - number; };
    if (describe_between<Rules>(position, turned_back(from), turned_back(to), move)) return;
    if (describe_between<Rules>(position, mirrored(turned_back(from)), mirrored(turned_back(to)),
                                move))
        return;
    MoveList moves;
    generate_moves<Rules>(position, moves);
    if (!moves.empty() && move != nullptr) *move = describe_fully<Rules>(position, moves[0]);
}

}  // namespace

template <class Rules>
int CheckerBoardEngine<Rules>::get_move(int board[8][8], int color, double maxtime, char* str,
                                        int* playnow, int info, int moreinfo, CBmove* move) {
    if (move != nullptr) *move = describe_nothing(board);
    const Result<Position> position = read_board(board, color);
    if (!position) {
        write_status(str, "no move: " + position.error());
        return cb_unknown;
    }
    if (count_moves<Rules>(*position) == 0) {
        write_status(str, "no move: the side to move has no legal move and has lost");
        return cb_loss;
    }
    StatusLineObserver<Rules> host(*position, str, playnow, engine_.options().all_scores);
    TimeControl time = read_time(maxtime, info, moreinfo);
    // Without the flag nobody could ever end an endless search.
    if (time.pace == Pace::endless && playnow == nullptr)
        time = {Pace::deadline, seconds_without_playnow, 0, 0};
    const EngineResult thought =
        engine_.think(*position, time, host, announced_moves<Rules>(*position));
    if (move != nullptr) *move = describe_fully<Rules>(*position, *thought.move);
    write_board(after<Rules>(*position, *thought.move), board);
    return code_of(thought.claim);
}

template <class Rules>
int CheckerBoardEngine<Rules>::is_legal(const int board[8][8], int color, int from, int to,
                                        CBmove* move) const {
    if (move != nullptr) *move = describe_nothing(board);
    const Result<Position> position = read_board(board, color);
    if (!position || !Numbering<Rules>::is_number(from) || !Numbering<Rules>::is_number(to))
        return 0;
    if (describe_between<Rules>(*position, from, to, move)) return 1;
    if constexpr (has_wrong_openings<Rules>)
        describe_opening_move<Rules>(*position, from, to, move);
    return 0;
}

template int CheckerBoardEngine<DEFIANCE_GAME>::get_move(int[8][8], int, double, char*, int*, int,
                                                         int, CBmove*);
template int CheckerBoardEngine<DEFIANCE_GAME>::is_legal(const int[8][8], int, int, int,
                                                         CBmove*) const;

}  // namespace defiance
