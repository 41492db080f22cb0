#include "indented_lines.hpp"

#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {

std::string indented_lines(std::vector<std::string> lines, std::string_view first_mark,
                           std::size_t max_bytes) {
    constexpr std::string_view indent = "\n  ";
    constexpr std::string_view and_more = "\n  and more";
    DEFIANCE_ASSERT(max_bytes >= 100);
    const auto is_first = [&](const std::string& line) { return line.starts_with(first_mark); };
    std::string text;
    for (const std::string& line : lines)
        text.append(indent).append(line);
    if (text.size() <= max_bytes) return text;
    std::stable_partition(lines.begin(), lines.end(), is_first);
    const std::size_t room = max_bytes - and_more.size();
    text.clear();
    for (const std::string& line : lines) {
        if (text.size() + indent.size() + line.size() <= room)
            text.append(indent).append(line);
        else if (text.empty())  // a part is better than nothing
            text.append(indent).append(first_bytes(line, room - indent.size()));
    }
    text.append(and_more);
    DEFIANCE_ASSERT(text.size() <= max_bytes);
    return text;
}

}  // namespace defiance
