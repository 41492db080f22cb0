#pragma once

#include <cstdint>

namespace defiance::driver {

// What egdb64.dll and egdb.dll export and expect. All functions have the calling convention of C,
// which is the compiler's own.

/// Kinds of databases, by the numbers of the driver.
enum Kind : int {
    cake = 2,
    chinook = 3,
    kingsrow_1 = 4,
    kingsrow_conversion = 5,
    chinook_italian = 6,
    kingsrow_italian_1 = 7,
    kingsrow_italian_conversion = 8,
    kingsrow_2 = 9,
    kingsrow_italian_2 = 10,
    kingsrow_end = 11,
    kingsrow_italian_end = 12
};

/// What a database of wins, losses and draws answers; any other number means unknown.
enum Answer : int { win = 1, loss = 2, draw = 3 };

/// What a database of distances to the next conversion answers below ten plies, and the smallest
/// answer that is a number of plies.
enum Conversion : int { below_ten = 1, min_plies = 10 };

/// Sets of squares: the lowest bit is the right corner of Black as he sees it, the others follow to
/// the left and row by row. That is English square 1. In Italian it is square 4: numbers go to the
/// right there, on a board that is the mirror image, as it is in our coordinates.
struct Board {
    std::uint32_t black;
    std::uint32_t white;
    std::uint32_t kings;
    std::uint32_t unused;
};
constexpr int normal_board = 0;  ///< number of this way to lay it out

struct Handle {
    using Other = void(void);

    int (*look_up)(Handle* handle, Board* board, int side, int only_if_cached);
    Other* reset_statistics;
    Other* statistics;
    Other* verify;
    int (*close)(Handle* handle);
    void* own_data;
};

using Message = void(char* text);
using Identify = int(const char* folder, int* kind, int* pieces);
using Open = Handle*(int board_layout, int pieces, int cache_mebibytes, const char* folder,
                     Message* message);

}  // namespace defiance::driver
