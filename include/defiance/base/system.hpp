#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace defiance {

/// Full path of the DLL, shared object or program this code is in; empty when it cannot be found
/// out.
[[nodiscard]] std::string module_path();

/// The same for the program that this process runs, whoever made it.
[[nodiscard]] std::string program_path();

/// Keeps the module of this code loaded until the process ends, even if the host unloads it.
void pin_module();

/// A block of bytes kept in the resources of this module under the name; empty when there is none.
/// Only Windows has resources: elsewhere it is always empty.
[[nodiscard]] std::string_view find_resource(const char* name);

/// The user's folder for temporary files with a final separator; empty when there is none.
[[nodiscard]] std::string temporary_folder();

/// Logical processors, at least 1.
[[nodiscard]] int processor_count();

/// Main memory of the machine in MiB; 0 when it cannot be found out.
[[nodiscard]] std::uint64_t physical_memory_mebibytes();

/// Memory that this process can still take without harm to others, in bytes: what is free on the
/// machine and, in a 32-bit process, in its addresses. The largest number when the system does not
/// tell. It changes at any time, so it is a hint only.
[[nodiscard]] std::uint64_t available_memory_bytes();

/// Waits for `milliseconds` as exactly as the system's timer allows; 0 gives up the processor only.
void sleep_milliseconds(int milliseconds);

}  // namespace defiance
