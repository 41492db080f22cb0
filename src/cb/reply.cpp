#include "reply.hpp"

#include <defiance/base/encoding.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/options.hpp>

namespace defiance {
namespace {

/// True when the text is what CheckerBoard was shown of the path. It sends that back, and the
/// option is then to stay as it is, because ANSI text may have lost characters.
bool is_shown_path(std::string_view text, const std::string& current) {
    return text == utf8_from_ansi(ansi_from_utf8(path_shown(current)));
}

/// An answer that has a path in it, cut to what CheckerBoard expects of paths.
Reply limited(Reply reply) {
    reply.text = first_bytes(reply.text, max_option_path - 1);
    return reply;
}

}  // namespace

std::string_view unquoted(std::string_view path) {
    const bool is_quoted = path.size() >= 2 && path.front() == '"' && path.back() == '"';
    return is_quoted ? path.substr(1, path.size() - 2) : path;
}

std::string path_shown(const std::string& path) {
    std::string text = path_for_ansi(path).value_or(path);
    return ansi_from_utf8(text).size() <= max_option_path ? text : path;
}

Reply set_path(const std::string& name, std::string_view given, const std::string& current,
               const std::function<Result<std::string>(std::string)>& set) {
    const std::string_view text = unquoted(given);
    if (ansi_from_utf8(text).size() > max_option_path)
        return refused(name + " takes a path of at most " + std::to_string(max_option_path) +
                       " characters");
    const bool is_same = !text.empty() && is_shown_path(text, current);
    const Result<std::string> taken = set(is_same ? current : std::string(text));
    if (!taken) return limited(refused(name + ": " + taken.error()));
    return limited(done(name + ' ' + std::string(text)));
}

}  // namespace defiance
