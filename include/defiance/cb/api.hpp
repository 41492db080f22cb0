#pragma once

// The interface to CheckerBoard: its constants, structures and the three functions it calls, as the
// CheckerBoard API reference describes them (protocol version 2, edition of 2021).

#ifdef _WIN32
#define DEFIANCE_CALL __stdcall
#define DEFIANCE_EXPORT  // exported by engine.def, undecorated
#else
#define DEFIANCE_CALL
#define DEFIANCE_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {

/// A square of CheckerBoard's board: x from the left, y from the bottom, 0 to 7.
struct coor {
    int x;
    int y;
};

/// A move as CheckerBoard executes and animates it, without a check.
struct CBmove {
    int jumps;     ///< pieces taken
    int newpiece;  ///< the moving piece after the move, as on the board: cb_white | cb_king
    int oldpiece;  ///< and before
    coor from, to;
    coor path[12];     ///< squares landed on; entry i after i jumps, entry 0 is `from`
    coor del[12];      ///< squares of the pieces taken, in order
    int delpiece[12];  ///< what stood there
};

/// Plays one move for the side `color`, cb_white or cb_black: the new board is left in `board`.
///
/// `board[x][y]` is the square of column x from the left and row y from the bottom: 0 when it is
/// empty, else a colour and a kind, as in cb_white | cb_king.
///
/// `maxtime` is in seconds, on the average of the moves. A million or more stands for no limit: the
/// search goes on until `playnow` is set, or for 5 seconds when that is null. Zero, less, or no
/// number asks for a move at once. `info` changes that:
///  - cb_new_game: the game is new, or a move was taken back, a position set up or the like: moves
///    before do not count. CheckerBoard does not tell always, for example not of a new game that
///    begins in analysis, so Defiance finds out by itself, too (GameTracker).
///  - cb_exact_time: `maxtime` exactly.
///  - the two bits from cb_clock_shift, unless both are 0: a clock. They choose its unit in
///    cb_clock_units; the upper 16 bits of `moreinfo` are what remains on it, the lower ones the
///    increment.
///
/// `str` (1024 bytes) takes the status line and may be read by another thread meanwhile; `playnow`
/// is set by another thread to get the move at once. `str`, `playnow` and `move` may be null.
/// Returns cb_draw, cb_win, cb_loss or cb_unknown for the side that moved.
DEFIANCE_EXPORT int DEFIANCE_CALL getmove(int board[8][8], int color, double maxtime,
                                          char str[1024], int* playnow, int info, int moreinfo,
                                          CBmove* move);

/// Answers a command in `reply`, of which only the bytes needed are written (at most 1024). Returns
/// 1 when the command was carried out, else 0.
DEFIANCE_EXPORT int DEFIANCE_CALL enginecommand(char command[256], char reply[1024]);

/// Returns 1 if `color` may move on `board` from square number `from` to `to`, and describes the
/// move in `move`; else 0. The squares have the numbers of the game's notation. `board` and `color`
/// are as in getmove; `board` is left as it is.
DEFIANCE_EXPORT int DEFIANCE_CALL islegal(int board[8][8], int color, int from, int to,
                                          CBmove* move);
}

namespace defiance {

/// The sides, for `color`, and the colours of the pieces on a board.
inline constexpr int cb_white = 1;
inline constexpr int cb_black = 2;

/// The kinds of the pieces on a board, each together with a colour.
inline constexpr int cb_man = 4;
inline constexpr int cb_king = 8;

/// What getmove returns: the result of the game that the engine claims for the side that moved.
inline constexpr int cb_draw = 0;
inline constexpr int cb_win = 1;
inline constexpr int cb_loss = 2;
inline constexpr int cb_unknown = 3;  ///< it claims none; the game goes on

/// The bits in `info` of getmove.
inline constexpr int cb_new_game = 1;
inline constexpr int cb_exact_time = 2;
/// The lowest of the two bits that choose a clock's unit.
inline constexpr int cb_clock_shift = 2;
/// What one step of the clock is, in seconds, by the number in those two bits; 0 stands for no
/// clock.
inline constexpr double cb_clock_units[] = {0, 0.001, 0.01, 0.1};

}  // namespace defiance
