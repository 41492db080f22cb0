#pragma once

#include <memory>
#include <string_view>

#include <defiance/base/result.hpp>
#include <defiance/engine/game_core.hpp>

namespace defiance {

/// The settings for the built-in endgame databases and those of a folder, without the folders that
/// engines look into: what is made with them depends on nothing that lies beside the program.
[[nodiscard]] EndgameSettings databases_of(std::string_view folder);

/// Opens them. Error: there is no such folder, or it has none of more pieces than are built in.
[[nodiscard]] Result<std::unique_ptr<EndgameDatabases>> open_databases(const GameCore& core,
                                                                       std::string_view folder);

}  // namespace defiance
