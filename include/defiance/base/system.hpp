#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace defiance {

/// Full path of the DLL, shared object or program this code is in, in the system's 8-bit encoding;
/// empty when it cannot be found out.
[[nodiscard]] std::string module_path();

/// The same for the program that this process runs, whoever made it.
[[nodiscard]] std::string program_path();

/// Keeps the module of this code loaded until the process ends, even if the host unloads it.
void pin_module();

/// The user's folder for temporary files with a final separator; empty when there is none.
[[nodiscard]] std::string temporary_folder();

/// The folder part of a path, with its final separator; empty when there is none.
[[nodiscard]] std::string folder_of(std::string_view path);

/// What stands between the folders of a path on this system.
#ifdef _WIN32
inline constexpr char path_separator = '\\';
#else
inline constexpr char path_separator = '/';
#endif

/// True when the path does not depend on a current folder or drive.
[[nodiscard]] bool is_absolute(std::string_view path);

/// The last part of a path without folder and extension.
[[nodiscard]] std::string base_name_of(std::string_view path);

[[nodiscard]] bool file_exists(const std::string& path);

/// Makes a folder if there is none; its parent must be there. False when there is none afterwards.
[[nodiscard]] bool make_folder(const std::string& path);

/// Writes a whole file at once: never leaves a half-written one under this name. False when it
/// cannot be written.
[[nodiscard]] bool write_file(const std::string& path, std::string_view content);

/// Logical processors, at least 1.
[[nodiscard]] int processor_count();

/// Main memory of the machine in MiB; 0 when it cannot be found out.
[[nodiscard]] std::uint64_t physical_memory_mebibytes();

/// Waits for `milliseconds` as exactly as the system's timer allows; 0 gives up the processor only.
void sleep_milliseconds(int milliseconds);

}  // namespace defiance
