#include "reply.hpp"

#include <defiance/base/encoding.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/options.hpp>

namespace defiance {

std::string_view unquoted(std::string_view path) {
    const bool is_quoted = path.size() >= 2 && path.front() == '"' && path.back() == '"';
    return is_quoted ? path.substr(1, path.size() - 2) : path;
}

std::string path_shown(const std::string& path) {
    std::string text = path_for_ansi(path).value_or(path);
    return ansi_from_utf8(text).size() <= max_option_path ? text : path;
}

bool is_shown_path(std::string_view text, const std::string& current) {
    return text == utf8_from_ansi(ansi_from_utf8(path_shown(current)));
}

Reply limited(Reply reply) {
    reply.text = first_bytes(reply.text, max_option_path - 1);
    return reply;
}

std::optional<Reply> refuse_long_path(const std::string& name, std::string_view text) {
    if (ansi_from_utf8(text).size() <= max_option_path) return std::nullopt;
    return refused(name + " takes a path of at most " + std::to_string(max_option_path) +
                   " characters");
}

}  // namespace defiance
