#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace defiance {

/// What an engine thinks of its position.
struct StatusValue {
    enum class Kind { estimate, win, draw, loss };

    Kind kind = Kind::estimate;
    double estimate = 0;               ///< in the engine's own units, mostly 1/100 man
    std::optional<int> winners_moves;  ///< to the end, of the side that wins, where it is told

    /// True when it is a proven draw or an estimate of at most so much for either side.
    [[nodiscard]] bool is_drawish(double limit) const;
    /// True when it is a proven win, or an estimate of at least so much.
    [[nodiscard]] bool is_winning(double limit) const;
    /// True when it is a proven loss, or an estimate of at most minus so much.
    [[nodiscard]] bool is_losing(double limit) const;
    /// `+12`, `draw`, `won`, `won in 17 moves`, `lost` or `lost in 9 moves`.
    [[nodiscard]] std::string text() const;

    [[nodiscard]] bool operator==(const StatusValue&) const = default;
};

/// The figures in a status line. It has no fixed format; understood is what most engines write: a
/// word and its value, in any order, as in `depth 12/20`, `value=-34`, `eval: 7` or
/// `value=won in 17 moves`, and a speed such as `1234 kN/s` or `1.2Mn/s`.
struct StatusReading {
    std::optional<double> depth;
    std::optional<StatusValue> value;
    std::optional<double> nodes_per_second;
    bool is_only_move = false;  ///< it says `only move`: there was nothing to think about
};
[[nodiscard]] StatusReading read_status(std::string_view status);

/// The number behind the first such word that has one, as in `nodes 3.10M`: a sign, digits with a
/// fraction, and k, M or G for thousands, millions and billions. Nothing when there is none.
[[nodiscard]] std::optional<double> number_after(std::string_view status, std::string_view word);

}  // namespace defiance
