#pragma once

#include <memory>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/solved_slice.hpp>

namespace defiance {

/// Keeps all values of a solved slice, also those that database files leave out, so that larger
/// ones can be solved later, and its plies if it has them. False when the file cannot be written;
/// it is there as a whole or not at all.
[[nodiscard]] bool save_solved(const std::string& path, const database_file::Identity& identity,
                               const SolvedSlice& slice);

/// Reads it back. The error names the file.
[[nodiscard]] Result<std::unique_ptr<SolvedSlice>> load_solved(
    const std::string& path, const database_file::Identity& identity, const Material& material);

}  // namespace defiance
