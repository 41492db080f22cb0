#pragma once

#include <defiance/cb/api.hpp>

// The functions of the API under other names, for exports.cpp, which shares no other code with the
// engine. They may throw, and they need the instructions that the engine is compiled for. `command`
// must not be null.

extern "C" {

int defiance_get_move(int board[8][8], int color, double maxtime, char* str, int* playnow, int info,
                      int moreinfo, CBmove* move);
int defiance_answer(const char* command, char* reply);
int defiance_is_legal(int board[8][8], int color, int from, int to, CBmove* move);
}
