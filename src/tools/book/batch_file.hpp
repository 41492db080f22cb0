#pragma once

#include <optional>
#include <string>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/expansion/drop_out_graph.hpp>

namespace defiance {

/// Writes which positions are being searched: a line for each, its FEN, its ply and the FEN of its
/// parent or a hyphen. Error, naming the file, when it cannot be written.
[[nodiscard]] std::optional<Error> write_batch(const GameRules& rules, const std::string& path,
                                               const std::vector<ExpansionLeaf>& batch);

/// Reads them; none when there is no such file. Error, naming the file and the line.
[[nodiscard]] Result<std::vector<ExpansionLeaf>> read_batch(const GameRules& rules,
                                                            const std::string& path);

}  // namespace defiance
