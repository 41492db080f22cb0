#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <defiance/base/file.hpp>
#include <defiance/base/result.hpp>
#include <tools/training/selfplay_file.hpp>

namespace defiance {

/// A file of self-play that is made out of others. It gets its name when it is complete, so that
/// the same command can be given again after the program was killed.
class SelfplayOutput {
public:
    /// Begins a file of these settings, under the name of `path` with `.new` behind it. What an
    /// earlier try has left there goes.
    ///
    /// Nothing when `path` is there with all games. One of the same settings with fewer will be
    /// replaced. Error, naming the file: it is there and is another one or damaged, or the new one
    /// cannot be written or is one of `inputs`, which are still to be read.
    static Result<std::optional<SelfplayOutput>> begin(const std::string& path,
                                                       const SelfplaySettings& settings,
                                                       std::span<const std::string> inputs);

    /// Error, naming the file: it cannot be written.
    [[nodiscard]] std::optional<Error> append(const SelfplayBlock& block);

    /// Gives the file its name. Error, naming the file: that cannot be done, or the file that has
    /// the name holds more.
    [[nodiscard]] std::optional<Error> finish();

    /// Deletes what was written, unless it is complete and only could not get its name.
    void abandon();

private:
    SelfplayOutput(const std::string& path, AppendFile file, std::uint64_t blocks_before)
        : path_(path), file_(std::move(file)), blocks_before_(blocks_before) {}

    [[nodiscard]] static std::string temporary_name(const std::string& path);
    [[nodiscard]] std::optional<Error> append_bytes(const std::string& bytes);

    std::string path_;
    std::optional<AppendFile> file_;  // until it is finished
    std::uint64_t blocks_before_;     // in the file that has the name
    std::uint64_t blocks_ = 0;
    std::uint64_t bytes_ = 0;
    bool is_complete_ = false;
};

}  // namespace defiance
