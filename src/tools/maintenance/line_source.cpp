#include <tools/maintenance/line_source.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/random_access_file.hpp>

namespace defiance {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 18;

}  // namespace

Result<LineSource> LineSource::open(const std::string& path, std::size_t max_length) {
    if (path == "-") {
        const auto fill = [](std::span<std::uint8_t> into) -> Result<std::size_t> {
            const std::size_t count = std::fread(into.data(), 1, into.size(), stdin);
            if (count == 0 && std::ferror(stdin) != 0)
                return Error{"standard input cannot be read"};
            return count;
        };
        return LineSource(fill, 0, max_length);
    }
    Result<RandomAccessFile> opened = RandomAccessFile::open(path);
    if (!opened) return Error{opened.error()};
    const auto file = std::make_shared<RandomAccessFile>(*std::move(opened));
    const auto fill = [file, path, at = std::uint64_t{0}](
                          std::span<std::uint8_t> into) mutable -> Result<std::size_t> {
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), file->size() - at));
        if (!file->read_at(at, into.first(count))) return file_error(path, "cannot be read");
        at += count;
        return count;
    };
    return LineSource(fill, file->size(), max_length);
}

/// False at the end.
Result<bool> LineSource::read_more() {
    buffer_.erase(0, std::exchange(at_, 0));
    const std::size_t before = buffer_.size();
    buffer_.resize(before + piece_size);
    auto* const into = reinterpret_cast<std::uint8_t*>(buffer_.data()) + before;
    const Result<std::size_t> count = fill_({into, piece_size});
    buffer_.resize(before + (count ? *count : 0));
    if (!count) return Error{count.error()};
    bytes_read_ += *count;
    return *count > 0;
}

Result<LineSource::Outcome> LineSource::read(std::string_view& line) {
    bool is_cut = false;
    for (;;) {
        DEFIANCE_ASSERT(at_ <= buffer_.size());
        const std::size_t end = buffer_.find('\n', at_);
        const bool has_end = end != std::string::npos;
        const std::size_t size = (has_end ? end : buffer_.size()) - at_;
        if (has_end) {
            line = std::string_view(buffer_).substr(at_, size);
            at_ = end + 1;
            ++number_;
            if (line.ends_with('\r')) line.remove_suffix(1);
            return is_cut || line.size() > max_length_ ? Outcome::too_long : Outcome::line;
        }
        if (size > max_length_ + 1) {
            is_cut = true;
            at_ = buffer_.size();
        }
        const Result<bool> more = read_more();
        if (!more) return Error{more.error()};
        if (*more) continue;
        line = buffer_;
        at_ = buffer_.size();
        if (line.empty() && !is_cut) return Outcome::end;
        ++number_;
        return is_cut || line.size() > max_length_ ? Outcome::too_long : Outcome::unfinished;
    }
}

}  // namespace defiance
