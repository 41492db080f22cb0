#pragma once

#include <optional>
#include <string_view>

namespace defiance {

/// What a status line says. Engines write it as they like; read is what most of them have in
/// common: a word and a number behind it, `depth 12`, `value=-34`, `speed 1234 kN/s` or `1.2Mn/s`.
struct StatusReading {
    std::optional<double> depth;
    std::optional<double> value;  ///< in the engine's own units, mostly 1/100 man
    std::optional<double> nodes_per_second;
};
[[nodiscard]] StatusReading read_status(std::string_view status);

/// The number behind the word, as in `nodes 3.10M`: a sign, digits with a fraction, and k, M or G
/// for thousands, millions and thousands of millions. Nothing when there is none.
[[nodiscard]] std::optional<double> number_after(std::string_view status, std::string_view word);

}  // namespace defiance
