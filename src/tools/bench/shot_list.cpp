#include <array>

#include <defiance/rules/games.hpp>
#include <tools/bench/shots.hpp>

namespace defiance {
namespace {

// Four problems by Saul Cass, one by Melvyn Green, four that The Checker Maven has shown, one by
// R. Waldteufel. The last position is of the engine's games against itself.
constexpr std::array english_shots = std::to_array<Shot>({
    {"W:W6,15,19,22,28,29,31,K9,K17:B2,7,8,13,20,21,K23,K32", "29-25"},
    {"W:W7,13,14,17,23,29,31,K6,K8:B1,5,10,16,18,21,24,25,K15,K22,K27", "14-9"},
    {"W:W10,11,14,15,16,17,18,19,22,24,K13:B1,6,26,27,K20,K23,K25,K28,K29", "11-8"},
    {"W:W7,11,22,23,24,25,26,K1,K13:B4,6,8,10,14,15,20,28,K29,K32", "23-19"},
    {"W:W7,11,14,16,17,19,22,24,27,31,K9,K21:B2,4,10,13,15,18,23,K25,K26,K28,K30", "9-5"},
    {"W:W6,9,21,22,29,30:B7,8,13,16,20,24", "22-17"},
    {"B:W23,26,K4:B2,24,K20", "24-27"},
    {"B:W23,26,K4:B3,24,K20", "24-27"},
    {"W:W17,19,23,26,K1,K12,K30:B6,11,14,K10,K21,K24", "26-22"},
    {"B:W21,22,23,24,K1,K2,K3,K4:B5,9,10,11,13,14,15,16", "14-17 13-17"},
    {"B:W10,12,K2,K15:B1,3,K23,K28", "23-19"},
});

// All of these are from the engine's games against itself.
constexpr std::array italian_shots = std::to_array<Shot>({
    {"B:W17,30,K10,K13:B9,K22,K27,K31", "22-18"},
    {"B:W5,13,24,31,K6:B7,11,12,15,16,K22", "15-19"},
    {"B:W9,18,24,K5:B2,11,15,K6", "15-20"},
});

constexpr std::array spanish_shots = std::to_array<Shot>({
    {"B:W2,9,15,K23:B18,22,29,31,K17", "31-27"},
    {"B:W8,9,11,24,K32:B17,21,27,31,K1", "21-18"},
    {"B:W1,2,3,24,K19:B9,10,14,17,31,K20", "14-11"},
    {"B:W2,4,14,16,19,28:B21,24,25,27,K1", "21-18"},
});

constexpr std::array russian_shots = std::to_array<Shot>({
    {"B:W17,19,20,21,22,23,28:B2,7,10,11,12,13,14", "11-16"},
    {"B:W17,19,20,21,22,23:B2,10,11,12,13,14", "11-15"},
    {"B:W16,18,19,20,28,30:B3,7,11,12,13,17", "17-21"},
    {"B:W21,22,24,31:B12,13,14,15", "12-16"},
    {"B:W17,21,25,27:B1,10,14,16", "16-19"},
    {"B:W14,17,22,23,30:B1,15,21,28", "28-32"},
    {"B:W17,20,21,23,26,29:B2,6,8,10,11,14", "6-9"},
    {"B:W17,19,21,26,27,30:B2,5,8,10,11,14", "5-9"},
    {"B:W17,20,21,23,32:B1,10,11,12,14", "11-15"},
    {"B:W13,17,21,24,25,26,27,28,30,32,K19:B1,2,6,9,10,11,14,15,18,20", "18-23"},
    {"B:W16,17,23,32:B3,9,10,15", "9-13"},
    {"B:W5,10,20,29:B1,8,12,27", "8-11"},
    {"B:W19,22,23,27:B1,4,11,20,21", "1-6"},
});

constexpr std::array brazilian_shots = std::to_array<Shot>({
    {"B:W5,12,16,22,32:B1,3,14,15,28", "14-18"},
    {"B:W19,21,23,26,30:B2,3,10,13,20", "10-15"},
    // 5-9 wins, too, but later: search proves it with more than 25 plies.
    {"B:W17,18,19,22,23,25,28:B5,8,10,12,13,16,20", "8-11 5-9"},
    {"B:W12,18,19,21,32:B3,6,9,K13", "6-10"},
    {"B:W17,18,21,22,23,24,28:B1,3,7,9,10,11,13", "11-16"},
    {"B:W13,19,20,21,24,26,28:B1,7,10,11,12,14,15", "1-6"},
    {"B:W17,19,22,24,28,32:B2,3,5,6,10,11", "11-16"},
    {"B:W13,17,18,21,31:B6,7,9,12,19,20", "19-23"},
});

constexpr std::array czech_shots = std::to_array<Shot>({
    {"B:W2,6,8,11,21:B15,18,19,20,29", "19-14"},
    {"B:W4,16,23,27:B24,30,32,K15", "24-20"},
    {"B:W3,15,18,21:B5,11,27,29", "5-2"},
    {"B:W7,11,24,28:B5,16,22,29", "5-1"},
    {"B:W1,2,4,7,9,10,11,13,15,16,24:B17,20,21,22,23,25,26,30,31,32", "31-28"},
    {"B:W3,13,20,K22:B16,29,K1,K4", "4-18"},
});

}  // namespace

std::span<const Shot> shots_of(const GameRules& rules) {
    switch (rules.game_type) {
        case English::game_type:
            return english_shots;
        case Italian::game_type:
            return italian_shots;
        case Spanish::game_type:
            return spanish_shots;
        case Russian::game_type:
            return russian_shots;
        case Brazilian::game_type:
            return brazilian_shots;
        case Czech::game_type:
            return czech_shots;
        default:
            return {};
    }
}

}  // namespace defiance
