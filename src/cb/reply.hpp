#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <defiance/base/result.hpp>
#include <defiance/cb/checkerboard_engine.hpp>

namespace defiance {

/// The answer to a command that was carried out.
[[nodiscard]] inline Reply done(std::string text) {
    return {1, std::move(text)};
}

/// The answer to a command that was not carried out; `text` says why.
[[nodiscard]] inline Reply refused(std::string text) {
    return {0, std::move(text)};
}

/// Carries out `set NAME 0|1`.
template <class Setter>
[[nodiscard]] Reply set_switch(const std::string& name, std::string_view text, Setter set) {
    if (text != "0" && text != "1") return refused(name + " takes 0 or 1");
    set(text == "1");
    return done(name + ' ' + std::string(text));
}

/// The path without the pair of quotation marks around it that Windows' "Copy as path" adds.
[[nodiscard]] std::string_view unquoted(std::string_view path);

/// What CheckerBoard shows of a path: all of it if ANSI allows that and the short form is not too
/// long for it.
[[nodiscard]] std::string path_shown(const std::string& path);

/// Carries out `set NAME PATH`; `current` is the value of the option. `set` is called also when
/// the path is the same, because what lies there may be new.
[[nodiscard]] Reply set_path(const std::string& name, std::string_view given,
                             const std::string& current,
                             const std::function<Result<std::string>(std::string)>& set);

}  // namespace defiance
