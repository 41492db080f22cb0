#pragma once

#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>

namespace defiance {

/// Writes the games of all shards of a run into one file, which equals to the byte that of the same
/// run without shards. Nothing on success, also when the output is there already and complete.
/// Error, naming the file: an input is damaged, incomplete or of other settings, a shard is missing
/// or given twice, there are too many, or the output has other content or cannot be written; it is
/// then as it was.
[[nodiscard]] std::optional<Error> merge_shards(const std::string& output,
                                                const std::vector<std::string>& inputs);

}  // namespace defiance
