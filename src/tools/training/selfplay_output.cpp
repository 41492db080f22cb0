#include <tools/training/selfplay_output.hpp>

#include <defiance/base/assert.hpp>
#include <tools/support/same_file.hpp>

namespace defiance {
namespace {

/// What is there of a file that is to be made.
struct FoundOutput {
    std::uint64_t blocks = 0;
    bool is_complete = false;
};

/// Error: the file is another one.
Result<FoundOutput> find_output(const std::string& path, const SelfplaySettings& settings) {
    if (!file_exists(path)) return FoundOutput{};
    const std::string header = encode(settings);
    // Also a file that was cut within its header, or is empty.
    const Result<std::string> start = read_file(path, header.size());
    if (start && start->size() < header.size() && header.starts_with(*start)) return FoundOutput{};
    Result<SelfplayReader> opened = SelfplayReader::open(path);
    if (!opened || opened->settings() != settings)
        return file_error(path, "is there already and has other content");
    SelfplayReader reader = *std::move(opened);
    for (SelfplayBlock block;;) {
        const Result<bool> is_read = reader.next(block);
        if (!is_read) return Error{is_read.error()};
        if (!*is_read) return FoundOutput{reader.blocks(), reader.is_complete()};
    }
}

}  // namespace

std::string SelfplayOutput::temporary_name(const std::string& path) {
    return path + ".new";
}

Result<std::optional<SelfplayOutput>> SelfplayOutput::begin(const std::string& path,
                                                            const SelfplaySettings& settings,
                                                            std::span<const std::string> inputs) {
    for (const std::string& input : inputs)
        if (is_same_file(input, temporary_name(path)))
            return file_error(input, "is to be read, and has the name of the file to be written");
    const Result<FoundOutput> found = find_output(path, settings);
    if (!found) return Error{found.error()};
    if (found->is_complete) return std::optional<SelfplayOutput>();
    Result<AppendFile> file = AppendFile::open(temporary_name(path));
    if (!file) return Error{file.error()};
    SelfplayOutput output(path, *std::move(file), found->blocks);
    if (!output.file_->cut(0)) return file_error(temporary_name(path), "cannot be written to");
    if (auto error = output.append_bytes(encode(settings))) return *std::move(error);
    return std::optional(std::move(output));
}

std::optional<Error> SelfplayOutput::append(const SelfplayBlock& block) {
    ++blocks_;
    return append_bytes(encode(block));
}

std::optional<Error> SelfplayOutput::append_bytes(const std::string& bytes) {
    DEFIANCE_ASSERT(file_);
    const std::string name = temporary_name(path_);
    // Two programs that write the same file would destroy it.
    if (file_->size() != bytes_) return file_error(name, "was changed by another program");
    if (!file_->append(bytes)) return file_error(name, "cannot be written to: " + file_->problem());
    bytes_ += bytes.size();
    return std::nullopt;
}

std::optional<Error> SelfplayOutput::finish() {
    DEFIANCE_ASSERT(file_);
    if (blocks_ < blocks_before_)
        return file_error(path_, "is there already and holds more games than the new one");
    const std::string name = temporary_name(path_);
    // While the disk was waited for, the same command given again may have begun the file anew.
    const bool is_whole = file_->sync() && file_->size() == bytes_;
    file_.reset();
    if (!is_whole) return file_error(name, "cannot be written");
    is_complete_ = true;
    if (const auto error = move_into_place(name, path_))
        return Error{error->text + "; it is complete"};
    return std::nullopt;
}

void SelfplayOutput::abandon() {
    file_.reset();
    if (is_complete_) return;
    remove_file(temporary_name(path_));
}

}  // namespace defiance
