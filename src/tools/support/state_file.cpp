#include <tools/support/state_file.hpp>

#include <cstdint>
#include <span>

#include <defiance/base/checksum.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::size_t state_sum_digits = 10;

std::string state_header(const StateKind& kind) {
    return "defiance-" + std::string(kind.word) + " 1 ";
}

/// The checksum with leading zeros.
std::string state_sum(std::string_view text) {
    const std::uint32_t sum =
        checksum(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
    std::string digits = std::to_string(sum);
    return std::string(state_sum_digits - digits.size(), '0') + digits;
}

}  // namespace

std::optional<Error> write_state(const std::string& path, const StateKind& kind,
                                 const std::string& settings, std::string_view state) {
    std::string content = state_header(kind) + settings + '\n' + std::string(state);
    content += state_sum(content);
    return write_file(path, content);
}

Result<std::string> read_state(const std::string& path, const StateKind& kind,
                               const std::string& settings) {
    const Result<std::string> file = read_file(path);
    if (!file) return Error{file.error()};
    const std::string header = state_header(kind);
    std::string_view content = *file;
    const std::size_t line = content.find('\n');
    if (!content.starts_with(header) || line == std::string_view::npos)
        return file_error(path, "is not the state of " + std::string(kind.name));
    if (content.size() < line + 1 + state_sum_digits ||
        state_sum(content.substr(0, content.size() - state_sum_digits)) !=
            content.substr(content.size() - state_sum_digits))
        return file_error(path, "is damaged");
    const std::string_view before = content.substr(header.size(), line - header.size());
    if (before != settings)
        return file_error(path, "is the state of " + std::string(kind.name) + " with other " +
                                    std::string(kind.settings) + " (" + shown(before, 300) +
                                    "); delete it to begin anew, or use the same");
    content.remove_suffix(state_sum_digits);
    return std::string(content.substr(line + 1));
}

}  // namespace defiance
