#pragma once

#include <functional>
#include <string_view>

#include <defiance/book/opening_book.hpp>
#include <tools/posdb/api_request.hpp>
#include <tools/posdb/position_view.hpp>

namespace defiance {

/// Gives a number from 0 to count - 1, for moves that are chosen by chance.
using PickNumber = std::function<std::size_t(std::size_t count)>;

// The answers to the queries of the API. `view` is what is known of the position; `is_cut` says
// that the sender wished its position learned and may not; `budget` is what the view has left.

[[nodiscard]] ApiAnswer answer_query_all(const ApiRequest& request, const GameRules& rules,
                                         const PositionView& view, bool is_cut);

/// querybest, query and querysearch. Error: of the store.
[[nodiscard]] Result<ApiAnswer> answer_query_move(const ApiRequest& request,
                                                  PositionDatabase& database,
                                                  const PositionView& view, bool is_cut,
                                                  const PickNumber& pick, EgdbBudget& budget);

[[nodiscard]] ApiAnswer answer_query_score(const ApiRequest& request, const PositionView& view,
                                           bool is_cut);

/// Error: of the store.
[[nodiscard]] Result<ApiAnswer> answer_query_pv(const ApiRequest& request,
                                                PositionDatabase& database,
                                                const PositionView& view, bool is_cut,
                                                EgdbBudget& budget);

/// What a book has of the position, the best move first: score, depth and support as BookMove has
/// them, and `use`, the highest number of the engines' option `book` that may play the move.
/// `book` may be null.
[[nodiscard]] ApiAnswer answer_query_book(const ApiRequest& request, const OpeningBook* book,
                                          const Position& position);

/// Writes what is the same in all answers in JSON about a position.
void write_tail(JsonWriter& json, const GameRules& rules, const PositionView& view, bool is_cut);

/// The answer for a position without a legal move.
[[nodiscard]] ApiAnswer checkmate_answer(const ApiRequest& request, const GameRules& rules,
                                         const PositionView& view);

}  // namespace defiance
