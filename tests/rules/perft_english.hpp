#pragma once

#include <array>

#include "perft_case.hpp"

namespace defiance::testing {

/// The start position, whose counts many programs have published.
inline const PerftCase perft_start = {"B:W21-32:B1-12",
                                      {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680}};

/// Positions with many kings: captures around loops, the same pieces taken in several orders, ends
/// on the square of the start. Agreed on by two generators with no code in common.
inline const std::array<PerftCase, 13> perft_kings = {{
    {"W:WK3,11,13,14,18,20,30,31,K32:B2,K5,7,K8,K15,16,22,K26",
     {3, 28, 96, 499, 2221, 10442, 60586, 275794}},
    {"B:WK5,K7,K11,14,K15,21,K22,K23,K28:B8,K10,K13",
     {2, 2, 8, 49, 180, 1845, 6900, 67327, 271391}},
    {"W:WK2,K5,K9,19,K26,31:BK7,8,15,K16,21,K22,K25,K27", {7, 34, 94, 638, 2542, 17404, 124137}},
    {"B:WK1,K4,K9,K12,14,K17,K18,19,K26,K27,32:BK2,3,5,6,10,11,13,20,K29,K31",
     {2, 4, 14, 29, 85, 442, 1246, 7112, 33865}},
    {"W:WK1,K4,K9,K16,K17,K25,K28,K31:BK15,K29", {22, 40, 278, 1207, 8973, 41839, 373972}},
    {"W:W25,27,K3,K6,K7,K9:B21,K1,K5,K10,K11,K17,K18,K19,K28", {4, 12, 63, 135, 780, 3659, 20234}},
    {"W:WK11,K16,K21,K29,K32:B3,K9,K10,K12,K14,K17,K18,K19,K20,K25,K26,K28",
     {6, 58, 144, 752, 3733, 30964}},
    {"B:W15,K1,K4,K6,K7,K8,K12,K13,K14,K23,K27,K31:BK5,K9,K10,K17,K24,K25,K28,K29,K30,K32",
     {3, 10, 50, 103, 497, 3351, 23238}},
    {"B:W25,K1,K3,K4,K7,K10,K16,K18,K20,K21,K26,K30:B9,17,28,K2,K5,K11,K13,K19,K23,K24,K31,K32",
     {4, 13, 32, 91, 354, 1203, 4063, 18370, 63790}},
    {"B:WK4:BK1,K7,K9,K16,K17,K18,K21,K25,K27,K28,K31", {30, 30, 745, 2803, 67088, 86567}},
    {"W:WK8,K30,K31,K32:B5,25,K7,K9,K10,K14,K16,K17,K19,K26,K27", {6, 91, 245, 2530, 14196}},
    {"B:W23,K4,K7,K9,K10,K13,K15,K16,K21,K24,K25,K28:B2,K1,K20,K26", {3, 36, 76, 950, 3924, 36792}},
    {"B:W17,18,19,23,25,26,27,32,K9,K10,K28:B2,8,16,K29", {1, 4, 23, 104, 617, 2365, 12172, 45896}},
}};

}  // namespace defiance::testing
