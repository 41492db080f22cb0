#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

/// A file that grows at its end, one piece at a time. What append() has accepted stays, also when
/// this program is killed the moment after.
class AppendFile {
public:
    /// Opens the file, or makes it when there is none.
    static Result<AppendFile> open(const std::string& path);

    AppendFile(AppendFile&&) noexcept;
    AppendFile& operator=(AppendFile&&) noexcept;
    ~AppendFile();

    /// False when not all of the text could be written; a part of it may then be in the file.
    [[nodiscard]] bool append(std::string_view text);

    /// Bytes in the file.
    [[nodiscard]] std::uint64_t size() const;

    /// Cuts off what lies behind the first `size` bytes. False when that fails.
    [[nodiscard]] bool cut(std::uint64_t size);

private:
    struct Handle;
    explicit AppendFile(std::unique_ptr<Handle> handle);

    std::unique_ptr<Handle> handle_;
};

}  // namespace defiance
