#pragma once

#include <string>

#include <defiance/base/result.hpp>
#include <tools/match/loader_programs.hpp>

namespace defiance {

/// How many checks of an engine ended in which way.
struct CheckSummary {
    int passes = 0;
    int notes = 0;
    int faults = 0;
};

/// Checks whether the engine in this file keeps the CheckerBoard API. Prints a line for each check
/// as soon as it is known, and the summary last. Error: the file is no engine that can be loaded.
[[nodiscard]] Result<CheckSummary> check_engine(const LoaderPrograms& programs,
                                                const std::string& file);

}  // namespace defiance
