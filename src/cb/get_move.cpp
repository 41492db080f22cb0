#include <atomic>

#include <defiance/cb/board.hpp>
#include <defiance/cb/host.hpp>
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
class StatusHost : public ThinkingHost {
public:
    StatusHost(const Position& root, char* str, int* playnow, bool all_scores)
        : root_(root), str_(str), playnow_(playnow), all_scores_(all_scores) {}

    bool interrupted() override {
        return playnow_ != nullptr &&
               std::atomic_ref<int>(*playnow_).load(std::memory_order_relaxed) != 0;
    }

    void show(const Thinking& thinking) override {
        if (str_ != nullptr) write_status(str_, status_line<Rules>(root_, thinking, all_scores_));
    }

private:
    Position root_;
    char* str_;
    int* playnow_;
    bool all_scores_;
};

int code_of(Claim claim) {
    switch (claim) {
        case Claim::win:
            return cb_win;
        case Claim::loss:
            return cb_loss;
        default:
            return cb_unknown;
    }
}

}  // namespace

template <class Rules>
int CheckerBoardEngine<Rules>::get_move(int board[8][8], int color, double maxtime, char* str,
                                        int* playnow, int info, int moreinfo, CBmove* move) {
    const Result<Position> position = read_board(board, color);
    if (!position) {
        write_status(str, "no move: " + position.error());
        return cb_unknown;
    }
    if (count_moves<Rules>(*position) == 0) {
        write_status(str, "no move: the side to move has no legal move and has lost");
        return cb_loss;
    }
    StatusHost<Rules> host(*position, str, playnow, engine_.options().all_scores);
    TimeControl time = read_time(maxtime, info, moreinfo);
    // Without the flag nobody could ever end an endless search.
    if (time.pace == Pace::endless && playnow == nullptr)
        time = {Pace::deadline, seconds_without_playnow, 0, 0};
    const Thought thought = engine_.think(*position, time, host);
    if (move != nullptr)
        *move = describe_move(*position, after<Rules>(*position, *thought.move), *thought.move,
                              path_of<Rules>(*position, *thought.move));
    write_board(after<Rules>(*position, *thought.move), board);
    return code_of(thought.claim);
}

template <class Rules>
int CheckerBoardEngine<Rules>::is_legal(const int board[8][8], int color, int from, int to,
                                        CBmove* move) const {
    if (move != nullptr) *move = {};
    const Result<Position> position = read_board(board, color);
    if (!position || !Numbering<Rules>::is_number(from) || !Numbering<Rules>::is_number(to))
        return 0;
    MoveList moves;
    generate_moves<Rules>(*position, moves);
    for (const Move& m : moves) {
        if (m.from != Numbering<Rules>::index(from) || m.to != Numbering<Rules>::index(to))
            continue;
        if (move != nullptr)
            *move = describe_move(*position, after<Rules>(*position, m), m,
                                  path_of<Rules>(*position, m));
        return 1;
    }
    return 0;
}

template int CheckerBoardEngine<DEFIANCE_GAME>::get_move(int[8][8], int, double, char*, int*, int,
                                                         int, CBmove*);
template int CheckerBoardEngine<DEFIANCE_GAME>::is_legal(const int[8][8], int, int, int,
                                                         CBmove*) const;

}  // namespace defiance
