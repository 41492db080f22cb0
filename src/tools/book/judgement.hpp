#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <defiance/base/result.hpp>
#include <defiance/book/opening_book.hpp>
#include <defiance/engine/game_core.hpp>

namespace defiance {

/// How moves of a book are judged.
struct JudgementSettings {
    std::size_t sample = 100;  ///< positions, chosen by chance
    double seconds = 1;        ///< for each search
    int threads = 1;
    std::uint64_t seed = 1;
};

/// What a search thinks of a move of a book.
struct JudgedMove {
    Position position;
    Move move;     ///< of the book
    Move better;   ///< of the search; the same when it agrees
    int loss = 0;  ///< how much worse the move is, in hundredths of a man; 0 when it is not
};

/// Searches positions in which an engine would play the best move of the book, and where it finds
/// another move, that of the book too. Empty when the book has no such position; nothing when
/// `must_stop` said so. Error: the book is damaged, or there is too little memory.
[[nodiscard]] Result<std::optional<std::vector<JudgedMove>>> judge_book(
    const GameCore& core, const OpeningBook& book, const JudgementSettings& settings,
    const std::function<bool()>& must_stop, const std::function<void(std::size_t done)>& monitor);

}  // namespace defiance
