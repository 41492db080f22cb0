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
    int newpiece;  ///< the moving piece after the move
    int oldpiece;  ///< and before
    coor from, to;
    coor path[12];     ///< squares landed on; entry i after i jumps, entry 0 is `from`
    coor del[12];      ///< squares of the pieces taken, in order
    int delpiece[12];  ///< what stood there
};

/// Plays one move for the side `color`: the new board is left in `board`.
///
/// `maxtime` is in seconds, on the average of the moves; `info` changes that:
///  - bit 0: the game is new. CheckerBoard tells one engine only in a match, so Defiance finds out
///    by itself (GameTracker).
///  - bit 1: `maxtime` exactly.
///  - bits 2 and 3, unless both are 0: a clock. The upper 16 bits of `moreinfo` are what remains
///    on it, the lower ones the increment, in units of 0.001 s (1), 0.01 s (2) or 0.1 s (3).
///
/// `str` (1024 bytes) takes the status line and may be read by another thread meanwhile; `playnow`
/// is set by another thread to get the move at once. `str`, `playnow` and `move` may be null.
/// Returns DRAW 0, WIN 1, LOSS 2 or UNKNOWN 3 for the side that moved.
DEFIANCE_EXPORT int DEFIANCE_CALL getmove(int board[8][8], int color, double maxtime,
                                          char str[1024], int* playnow, int info, int moreinfo,
                                          CBmove* move);

/// Answers a command in `reply`, of which only the bytes needed are written (at most 1024). Returns
/// 1 when the command was carried out, else 0.
DEFIANCE_EXPORT int DEFIANCE_CALL enginecommand(char command[256], char reply[1024]);

/// Returns 1 if `color` may move from square number `from` to `to`, and describes the move in
/// `move`; else 0.
DEFIANCE_EXPORT int DEFIANCE_CALL islegal(int board[8][8], int color, int from, int to,
                                          CBmove* move);
}

namespace defiance {

inline constexpr int cb_white = 1;
inline constexpr int cb_black = 2;
inline constexpr int cb_man = 4;
inline constexpr int cb_king = 8;

inline constexpr int cb_draw = 0;
inline constexpr int cb_win = 1;
inline constexpr int cb_loss = 2;
inline constexpr int cb_unknown = 3;

}  // namespace defiance
