#include <functional>
#include <string>

#include <defiance/cb/checkerboard_engine.hpp>

#include "reply.hpp"

namespace defiance {
namespace {

/// Carries out `set NAME PATH`; `current` is the value of the option.
Reply set_path(const std::string& name, std::string_view given, const std::string& current,
               const std::function<Result<std::string>(std::string)>& set) {
    const std::string_view text = unquoted(given);
    if (auto reply = refuse_long_path(name, text)) return *std::move(reply);
    // The file is opened again even if its name is the same: its content may be new.
    const bool is_same = !text.empty() && is_shown_path(text, current);
    const Result<std::string> taken = set(is_same ? current : std::string(text));
    if (!taken) return limited(refused(name + ": " + taken.error()));
    return limited(done(name + ' ' + std::string(text)));
}

}  // namespace

Reply CheckerBoardEngine::set_book_file(std::string_view text) {
    return set_path("bookfile", text, engine_.book_file(),
                    [&](std::string path) { return engine_.set_book_file(std::move(path)); });
}

Reply CheckerBoardEngine::set_evaluation_file(std::string_view text) {
    return set_path("evalfile", text, engine_.evaluation_file(),
                    [&](std::string path) { return engine_.set_evaluation_file(std::move(path)); });
}

}  // namespace defiance
