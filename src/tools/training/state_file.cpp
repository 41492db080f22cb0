#include <tools/training/state_file.hpp>

#include <cstdint>
#include <span>

#include <defiance/base/checksum.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::string_view header = "defiance-train 1 ";
constexpr std::size_t sum_digits = 10;

/// The checksum with leading zeros.
std::string sum_of(std::string_view text) {
    const std::uint32_t sum =
        checksum(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
    std::string digits = std::to_string(sum);
    return std::string(sum_digits - digits.size(), '0') + digits;
}

}  // namespace

bool write_state(const std::string& path, const std::string& settings, std::string_view state) {
    std::string content = std::string(header) + settings + '\n' + std::string(state);
    content += sum_of(content);
    return write_file(path, content);
}

Result<std::string> read_state(const std::string& path, const std::string& settings) {
    const Result<std::string> file = read_file(path);
    if (!file) return Error{file.error()};
    std::string_view content = *file;
    const std::size_t line = content.find('\n');
    if (!content.starts_with(header) || line == std::string_view::npos)
        return file_error(path, "is not the state of a training");
    if (content.size() < line + 1 + sum_digits ||
        sum_of(content.substr(0, content.size() - sum_digits)) !=
            content.substr(content.size() - sum_digits))
        return file_error(path, "is damaged");
    const std::string_view before = content.substr(header.size(), line - header.size());
    if (before != settings)
        return file_error(path, "is the state of a training with other settings or data (" +
                                    shown(before, 300) +
                                    "); delete it to begin anew, or use the same");
    content.remove_suffix(sum_digits);
    return std::string(content.substr(line + 1));
}

}  // namespace defiance
