#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The numbers by which the search prunes, reduces and widens its window. Margins are in points of
/// the evaluation, of which a man is worth some 300, depths in plies. The defaults are what the
/// engines play with; `defiance tune` looks for better ones.
struct SearchParameters {
    int razoring_depth = 4;    ///< the deepest nodes that are razored; 0: none
    int razoring_margin = 80;  ///< how far below alpha, for each ply of depth
    int razoring_pieces = 4;   ///< no razoring with this many pieces or fewer

    int probcut_depth = 2;    ///< the shallowest nodes of ProbCut
    int probcut_margin = 35;  ///< how far above beta the verification must be
    /// No ProbCut with this many pieces or fewer where beta is below -probcut_losing.
    int probcut_pieces = 8;
    int probcut_losing = 100;

    int reduction_depth = 3;      ///< the shallowest nodes whose late moves are reduced
    int reduction_moves = 3;      ///< the first move that is reduced; at pv nodes the one after it
    int reduction_divisor = 170;  ///< of ln depth times ln number of the move, in hundredths
    int reduction_offset = 0;     ///< added to the quotient, in hundredths of a ply

    int iid_depth = 5;      ///< the shallowest nodes of internal iterative deepening
    int iid_reduction = 3;  ///< by how much shallower its search is

    int aspiration_width = 20;   ///< of the first window at the root, to either side
    int aspiration_limit = 300;  ///< a window that would become wider than this is opened wholly

    [[nodiscard]] bool operator==(const SearchParameters&) const = default;
};

/// One of them as users and the tuner see it.
struct SearchParameter {
    std::string_view name;
    int SearchParameters::*member;
    int min;
    int max;
    int step;  ///< SPSA's perturbation at the end of a run: twice as much should still show in
               ///< games
};

/// All of them, in the order of the structure.
inline constexpr std::array search_parameters = {
    SearchParameter{"razoring_depth", &SearchParameters::razoring_depth, 0, 12, 1},
    SearchParameter{"razoring_margin", &SearchParameters::razoring_margin, 10, 400, 10},
    SearchParameter{"razoring_pieces", &SearchParameters::razoring_pieces, 0, 12, 1},
    SearchParameter{"probcut_depth", &SearchParameters::probcut_depth, 2, 10, 1},
    SearchParameter{"probcut_margin", &SearchParameters::probcut_margin, 0, 300, 7},
    SearchParameter{"probcut_pieces", &SearchParameters::probcut_pieces, 0, max_pieces_on_board, 1},
    SearchParameter{"probcut_losing", &SearchParameters::probcut_losing, 0, 1000, 40},
    SearchParameter{"reduction_depth", &SearchParameters::reduction_depth, 2, 8, 1},
    SearchParameter{"reduction_moves", &SearchParameters::reduction_moves, 2, 12, 1},
    SearchParameter{"reduction_divisor", &SearchParameters::reduction_divisor, 80, 600, 15},
    SearchParameter{"reduction_offset", &SearchParameters::reduction_offset, -100, 100, 10},
    SearchParameter{"iid_depth", &SearchParameters::iid_depth, 4, 12, 1},
    SearchParameter{"iid_reduction", &SearchParameters::iid_reduction, 1, 3, 1},
    SearchParameter{"aspiration_width", &SearchParameters::aspiration_width, 3, 200, 4},
    SearchParameter{"aspiration_limit", &SearchParameters::aspiration_limit, 20, 1000, 50},
};

static_assert(
    search_parameters.size() * sizeof(int) == sizeof(SearchParameters) &&
        [] {
            for (const SearchParameter& a : search_parameters)
                for (const SearchParameter& b : search_parameters)
                    if (&a != &b && (a.member == b.member || a.name == b.name)) return false;
            return true;
        }(),
    "each parameter is in the table, once");
static_assert(std::all_of(search_parameters.begin(), search_parameters.end(),
                          [](const SearchParameter& parameter) {
                              const int usual = SearchParameters{}.*parameter.member;
                              return parameter.min <= usual && usual <= parameter.max &&
                                     parameter.step > 0;
                          }),
              "the defaults lie within the bounds");

/// The parameter with this name, or null.
[[nodiscard]] const SearchParameter* find_search_parameter(std::string_view name);

/// Why there is no parameter of this name; tells those that there are.
[[nodiscard]] Error unknown_search_parameter(std::string_view name);

/// Sets the parameter with this name. Error, and nothing is set: there is no such parameter, or the
/// value is no whole number within its bounds.
[[nodiscard]] std::optional<Error> set_search_parameter(SearchParameters& parameters,
                                                        std::string_view name,
                                                        std::string_view value);

}  // namespace defiance
