#include <tools/training/merge.hpp>

#include <cstdint>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <tools/training/selfplay_file.hpp>
#include <tools/training/selfplay_output.hpp>
#include <tools/training/tasks.hpp>

namespace defiance {
namespace {

/// The settings of the run that a shard is a part of.
SelfplaySettings without_shard(SelfplaySettings settings) {
    settings.shard = 0;
    settings.shards = 1;
    return settings;
}

/// A reader for each shard of a run, in the order of the shards.
Result<std::vector<SelfplayReader>> open_shards(const std::vector<std::string>& inputs) {
    DEFIANCE_ASSERT(!inputs.empty());
    std::vector<std::optional<SelfplayReader>> by_shard(inputs.size());
    std::optional<SelfplaySettings> run;
    for (const std::string& input : inputs) {
        Result<SelfplayReader> reader = SelfplayReader::open(input);
        if (!reader) return Error{reader.error()};
        const SelfplaySettings settings = reader->settings();
        if (settings.shards != inputs.size())
            return file_error(input, "is one of " + std::to_string(settings.shards) +
                                         " shards, but so many files were given: " +
                                         std::to_string(inputs.size()));
        if (run && *run != without_shard(settings))
            return file_error(input, "is of other settings than '" + inputs.front() + "'");
        run = without_shard(settings);
        if (by_shard[settings.shard]) return file_error(input, "is a shard that was given already");
        by_shard[settings.shard] = *std::move(reader);
    }
    std::vector<SelfplayReader> readers;
    for (auto& reader : by_shard)
        readers.push_back(*std::move(reader));
    return readers;
}

/// Appends all blocks in their order.
std::optional<Error> append_all(SelfplayOutput& output, std::vector<SelfplayReader>& shards) {
    const std::uint64_t blocks = shards.front().settings().all_blocks();
    SelfplayBlock block;
    for (std::uint64_t number = 0; number < blocks; ++number) {
        SelfplayReader& shard = shards[static_cast<std::size_t>(number % shards.size())];
        const Result<bool> is_read = shard.next(block);
        if (!is_read) return Error{is_read.error()};
        if (!*is_read)
            return Error{"shard " + std::to_string(shard.settings().shard) +
                         " is incomplete: the command that made it goes on from its end"};
        DEFIANCE_ASSERT(block.number == number);
        if (auto error = output.append(block)) return error;
    }
    for (SelfplayReader& shard : shards)
        if (const Result<bool> is_read = shard.next(block); !is_read) return Error{is_read.error()};
    return std::nullopt;
}

}  // namespace

std::optional<Error> merge_shards(const std::string& output,
                                  const std::vector<std::string>& inputs) {
    if (inputs.size() > max_merged_shards)
        return Error{"no more than " + std::to_string(max_merged_shards) +
                     " files can be open at once"};
    Result<std::vector<SelfplayReader>> shards = open_shards(inputs);
    if (!shards) return Error{shards.error()};
    std::vector<SelfplayReader> readers = *std::move(shards);
    auto begun = SelfplayOutput::begin(output, without_shard(readers.front().settings()), inputs);
    if (!begun) return Error{begun.error()};
    std::optional<SelfplayOutput> file = *std::move(begun);
    if (!file) return std::nullopt;
    auto error = append_all(*file, readers);
    if (!error) error = file->finish();
    if (error) file->abandon();
    return error;
}

ExitCode merge_selfplay(const Arguments& arguments) {
    const auto& words = arguments.positionals();
    constexpr std::size_t words_before_inputs = 2;
    if (words.size() <= words_before_inputs)
        return fail("selfplay merge: OUT and FILES must be given");
    const std::vector<std::string> inputs(words.begin() + words_before_inputs, words.end());
    if (const auto error = merge_shards(std::string(words[1]), inputs))
        return fail("selfplay merge: " + error->text);
    return exit_done;
}

}  // namespace defiance
