#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

/// The lines of a file of any size, or of standard input, read in pieces. Any bytes are safe.
class LineSource {
public:
    /// Opens a file; `-` is standard input. Lines have at most `max_length` bytes. Error, naming
    /// the file: it cannot be opened.
    static Result<LineSource> open(const std::string& path, std::size_t max_length);

    enum class Outcome {
        line,
        unfinished,  ///< the last line of the file, without an end
        too_long,    ///< a longer line than is allowed; it was skipped
        end
    };
    /// Reads the next line without its end, LF or CR LF. `line` is good until the next call. Error:
    /// the file cannot be read.
    [[nodiscard]] Result<Outcome> read(std::string_view& line);

    /// The number of the line that was read last, from 1.
    [[nodiscard]] std::uint64_t number() const { return number_; }
    /// Bytes that were read, and of the file; the latter is 0 for standard input.
    [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    /// Puts what comes next into a buffer and tells how many bytes; 0 at the end.
    using Fill = std::function<Result<std::size_t>(std::span<std::uint8_t>)>;

    LineSource(Fill fill, std::uint64_t size, std::size_t max_length)
        : fill_(std::move(fill)), size_(size), max_length_(max_length) {}

    [[nodiscard]] Result<bool> read_more();

    Fill fill_;
    std::uint64_t size_;
    std::size_t max_length_;
    std::string buffer_;
    std::size_t at_ = 0;  ///< in the buffer
    std::uint64_t bytes_read_ = 0;
    std::uint64_t number_ = 0;
};

}  // namespace defiance
