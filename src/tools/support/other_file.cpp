#include <tools/support/other_file.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <defiance/base/file.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/base/text.hpp>

namespace defiance {

Error other_file_error(const std::string& path, Writing writing) {
    const bool is_over = writing == Writing::over;
    return Error{shown(path, 200) + (is_over ? " is another file and is not overwritten"
                                             : " is another file, and nothing is added to it")};
}

std::optional<Error> find_other_file(const std::string& path,
                                     const std::function<bool(std::string_view)>& is_ours,
                                     Writing writing) {
    constexpr std::uint64_t most_bytes = 4096;
    if (!file_exists(path)) return std::nullopt;
    const Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return Error{file.error()};
    const Result<std::vector<std::uint8_t>> bytes =
        file->read_part(0, std::min(file->size(), most_bytes));
    if (!bytes) return file_error(path, "cannot be looked into: " + bytes.error());
    const std::string_view begin(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (begin.empty() || is_ours(begin)) return std::nullopt;
    return other_file_error(path, writing);
}

std::string_view first_line_of(std::string_view text) {
    return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace defiance
