#include <tools/training/dataset.hpp>

#include <new>
#include <optional>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/random.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/position.hpp>
#include <tools/training/selfplay_file.hpp>
#include <tools/training/training_kernels.hpp>

namespace defiance {
namespace {

bool is_chosen(double share, std::uint64_t seed, std::uint64_t game) {
    constexpr double all = 18446744073709551616.0;  // 2^64
    const std::uint64_t number = Random(Random(seed).next() ^ game).next();
    return static_cast<double>(number) < share * all;
}

/// A number for all records so far: each depends on those before it.
std::uint64_t mixed(std::uint64_t before, const TrainingRecord& record) {
    const std::uint64_t pieces = std::uint64_t{record.own} << 32 | record.theirs;
    const std::uint64_t rest = std::uint64_t{record.kings} << 32 |
                               std::uint64_t{static_cast<std::uint16_t>(record.score)} << 16 |
                               std::uint64_t{static_cast<std::uint8_t>(record.result)} << 8 |
                               record.flags;
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15U;
    before = (before ^ pieces) * factor;
    before = (before ^ (before >> 32) ^ rest) * factor;
    return before ^ (before >> 29);
}

/// Adds one file. An error names it.
std::optional<Error> add_file(Dataset& data, const std::string& file,
                              const DatasetSettings& settings) {
    Result<SelfplayReader> opened = SelfplayReader::open(file);
    if (!opened) return Error{opened.error()};
    SelfplayReader reader = *std::move(opened);
    if (reader.settings().game != settings.game)
        return file_error(file, "is of the game " + reader.settings().game);
    SelfplayBlock block;
    bool is_first = true;
    for (;;) {
        const Result<bool> is_read = reader.next(block);
        if (!is_read) return Error{is_read.error()};
        if (!*is_read) break;
        for (const TrainingRecord& record : block.records) {
            if (!data.add(record, is_first, settings.holdout_share, settings.seed))
                return file_error(file, "has a position that nothing can be learned from");
            is_first = false;
        }
    }
    data.unfinished_files += !reader.is_complete();
    return std::nullopt;
}

/// Reserves memory for all at once, which a growing vector would need twice at times.
std::optional<Error> reserve(Dataset& data, const std::vector<std::string>& files,
                             const DatasetSettings& settings) {
    std::uint64_t bytes = 0;
    for (const std::string& path : files) {
        const auto file = RandomAccessFile::open(path);
        if (!file) return Error{file.error()};
        bytes += file->size();
    }
    const std::uint64_t most = bytes / sizeof(TrainingRecord) + 1;
    if (most > data.training.max_size() / 2)
        return Error{"the data are too large for this machine"};
    try {
        data.training.reserve(static_cast<std::size_t>(most));
        data.holdout.reserve(
            static_cast<std::size_t>(static_cast<double>(most) * settings.holdout_share));
    } catch (const std::bad_alloc&) {
        return Error{"there is too little memory for the data"};
    }
    return std::nullopt;
}

}  // namespace

bool Dataset::add(const TrainingRecord& record, bool is_first_of_file, double holdout_share,
                  std::uint64_t seed) {
    // The runner of micro-batches has room for so many.
    static_assert(max_pieces_on_board <= max_active);
    const int pieces = count(record.own) + count(record.theirs);
    if (pieces < 1 || pieces > max_pieces_on_board || (record.own & record.theirs) != 0 ||
        (record.kings & ~(record.own | record.theirs)) != 0 || record.result < -1 ||
        record.result > 1)
        return false;
    if (is_first_of_file || (record.flags & TrainingRecord::first_of_game) != 0) {
        is_held_out_ = is_chosen(holdout_share, seed, games);
        ++games;
        holdout_games += is_held_out_;
    }
    DEFIANCE_ASSERT(games > 0);
    (is_held_out_ ? holdout : training).push_back(record);
    fingerprint = mixed(fingerprint, record);
    return true;
}

Result<Dataset> read_dataset(const std::vector<std::string>& files,
                             const DatasetSettings& settings) {
    DEFIANCE_ASSERT(settings.holdout_share >= 0 && settings.holdout_share <= 1);
    Dataset data;
    if (const auto error = reserve(data, files, settings)) return *error;
    for (const std::string& file : files)
        if (const auto error = add_file(data, file, settings)) return *error;
    if (data.training.empty()) return Error{"the data hold no position to learn from"};
    if (data.holdout.empty())
        return Error{
            "the data hold too few games to hold any out: more games, or a larger --holdout, "
            "are needed"};
    return data;
}

}  // namespace defiance
