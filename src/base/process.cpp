#include <defiance/base/process.hpp>

#include <defiance/base/text.hpp>

namespace defiance {

std::optional<std::vector<std::string>> split_command(std::string_view text) {
    std::vector<std::string> words;
    bool is_quoted = false;
    bool in_word = false;
    for (const char c : text) {
        if (c == '"') {
            is_quoted = !is_quoted;
            if (!in_word) words.emplace_back();
            in_word = true;
        } else if (is_space(c) && !is_quoted) {
            in_word = false;
        } else {
            if (!in_word) words.emplace_back();
            in_word = true;
            words.back() += c;
        }
    }
    if (is_quoted) return std::nullopt;
    return words;
}

}  // namespace defiance
