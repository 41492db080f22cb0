#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/support/arguments.hpp>

namespace defiance {

/// How to start the process that loads engines of each kind: the words before `host`,
/// the verb of the console tool that does it.
struct LoaderPrograms {
    std::vector<std::string> own;    ///< this program; for `self`, and for engines like it
    std::vector<std::string> win32;  ///< for 32-bit Windows DLLs
    std::vector<std::string> win64;  ///< for 64-bit ones
};

/// Whether a locale of this name, as in `en_GB.UTF-8`, writes text in UTF-8.
[[nodiscard]] bool is_utf8_locale(std::string_view name);

/// The words that start Wine, before those of a Windows program. Files have names in UTF-8 for it,
/// whatever the locale of this program is.
[[nodiscard]] std::vector<std::string> wine_command();

/// Looks for the programs beside this one, where a build or a package puts them; on Linux the
/// Windows programs run through Wine.
[[nodiscard]] LoaderPrograms find_loader_programs();

/// Those, or what the options --host32 and --host64 name instead. Error: an option is no command.
[[nodiscard]] Result<LoaderPrograms> read_loader_programs(const Arguments& arguments);

/// What a file that may be an engine is, by its first bytes.
enum class EngineFile { absent, win32, win64, elf, other };
[[nodiscard]] EngineFile kind_of_engine_file(const std::string& path);

/// The words that start the process which loads this file. Error: no program here can.
[[nodiscard]] Result<std::vector<std::string>> loader_command(const LoaderPrograms& programs,
                                                              const std::string& path);

/// Where CheckerBoard would run this engine: its own folder when the file, a full path, lies in the
/// folder `engines` there, with a final separator; else empty, which is where this program runs.
[[nodiscard]] std::string usual_folder(const std::string& file);

}  // namespace defiance
