#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

/// What a state is of.
struct StateKind {
    std::string_view word;      ///< in the head of the file; one word
    std::string_view name;      ///< for messages: "a training"
    std::string_view settings;  ///< what must not have changed, for messages: "settings or data"
};

/// A file from which interrupted work goes on: the settings as a line of text, what the work says
/// of its state, and a checksum. Written atomically; the error names the file. The state may be of
/// this kind of machine only.
[[nodiscard]] std::optional<Error> write_state(const std::string& path, const StateKind& kind,
                                               const std::string& settings, std::string_view state);

/// The state in the file. Error, naming the file: it cannot be read, is no such file or damaged, or
/// belongs to other settings.
[[nodiscard]] Result<std::string> read_state(const std::string& path, const StateKind& kind,
                                             const std::string& settings);

}  // namespace defiance
