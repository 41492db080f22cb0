#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <defiance/base/file.hpp>
#include <defiance/base/result.hpp>

namespace defiance {

/// The file that the finished games of a match are appended to as PDN.
class PdnFile {
public:
    /// No file: the games are only counted.
    PdnFile() = default;

    /// Opens the file, or creates it. With `known_bytes` it holds the games of a match up to there,
    /// and rest() is what lies behind. Error: the file is shorter than that, or several games lie
    /// there, which somebody else wrote; without it: find_other_kind().
    static Result<PdnFile> open(const std::string& path, std::optional<std::uint64_t> known_bytes);

    /// Error: there is a file of another kind, to which no games are added.
    [[nodiscard]] static std::optional<Error> find_other_kind(const std::string& path);

    /// What lies behind the known games, one game at most: the one that was being written when the
    /// program was killed, or one of somebody else.
    [[nodiscard]] const std::string& rest() const { return rest_; }
    /// Cuts it off; only then games can be added. Error: the file has changed meanwhile or cannot
    /// be cut.
    [[nodiscard]] std::optional<Error> cut_rest();
    /// The error that the rest is of somebody else.
    [[nodiscard]] Error foreign_games() const;

    /// The size of the file before it is opened; 0 for an empty path and where there is no file.
    [[nodiscard]] static Result<std::uint64_t> size_of(const std::string& path);

    /// Appends a game, on a line of its own. False when it cannot be written.
    [[nodiscard]] bool add(const std::string& game);
    /// Waits until the disk has the games. False on failure.
    [[nodiscard]] bool sync() { return !file_ || file_->sync(); }
    /// The size of the file, 0 without one; nothing when the system does not tell.
    [[nodiscard]] std::optional<std::uint64_t> bytes() const { return file_ ? file_->size() : 0; }
    /// Where the last game stands, `FILE#NUMBER`; a hyphen without a file.
    [[nodiscard]] std::string place() const;

private:
    std::string path_;
    std::optional<AppendFile> file_;
    std::size_t games_ = 0;
    std::uint64_t known_bytes_ = 0;
    bool lacks_line_end_ = false;  // the games before have none
    std::string rest_;
};

}  // namespace defiance
