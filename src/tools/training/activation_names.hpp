#pragma once

#include <optional>
#include <string_view>

#include <defiance/eval/activation.hpp>

namespace defiance {

/// The word of the command line.
[[nodiscard]] constexpr std::string_view name_of(Activation activation) {
    return activation == Activation::squared   ? "screlu"
           : activation == Activation::clipped ? "crelu"
                                               : "pairs";
}

/// Nothing when no activation has this name.
[[nodiscard]] constexpr std::optional<Activation> activation_of(std::string_view name) {
    for (const Activation activation :
         {Activation::squared, Activation::clipped, Activation::paired})
        if (name == name_of(activation)) return activation;
    return std::nullopt;
}

}  // namespace defiance
