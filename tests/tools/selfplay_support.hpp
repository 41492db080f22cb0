#pragma once

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/base/file.hpp>
#include <tools/training/selfplay_run.hpp>

namespace defiance {

/// A run that takes a fraction of a second.
inline SelfplaySettings quick_run(std::uint64_t games) {
    SelfplaySettings settings;
    settings.game = "english";
    settings.engine = "1.2.3";
    settings.fingerprint = 4'000'000'000;
    settings.nodes = 40;
    settings.seed = 7;
    settings.games = games;
    return settings;
}

/// Databases that are unpacked in no time.
inline EndgameSettings small_databases() {
    EndgameSettings settings;
    settings.max_pieces = 3;
    return settings;
}

/// What is wrong with a run, or an empty text; "stopped" when it was.
inline std::string run_to(const std::string& path, const SelfplaySettings& settings,
                          int threads = 1) {
    SelfplayProgress progress;
    const Result<bool> done = run_selfplay(settings, path, threads, small_databases(), progress);
    if (!done) return done.error();
    return *done ? "" : "stopped";
}

inline std::string content_of(const std::string& path) {
    const Result<std::string> content = read_file(path);
    REQUIRE(content);
    return *content;
}

/// Equality without showing what differs, which nobody could read.
template <class Content>
bool is_same(const Content& a, const Content& b) {
    return a == b;
}

/// A file read to its end.
struct SelfplayContent {
    std::string problem;  ///< or empty
    bool is_complete = false;
    bool is_torn = false;
    std::vector<SelfplaySummary> games;
    std::vector<TrainingRecord> records;
};

inline SelfplayContent read_selfplay(const std::string& path) {
    SelfplayContent content;
    Result<SelfplayReader> opened = SelfplayReader::open(path);
    if (!opened) {
        content.problem = opened.error();
        return content;
    }
    SelfplayReader reader = *std::move(opened);
    for (SelfplayBlock block;;) {
        const Result<bool> is_read = reader.next(block);
        if (!is_read) content.problem = is_read.error();
        if (!is_read || !*is_read) break;
        content.games.insert(content.games.end(), block.games.begin(), block.games.end());
        content.records.insert(content.records.end(), block.records.begin(), block.records.end());
    }
    content.is_complete = reader.is_complete();
    content.is_torn = reader.is_torn();
    return content;
}

}  // namespace defiance
