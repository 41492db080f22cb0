#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace defiance {

/// Full path of the DLL, shared object or program that contains this code; empty when unknown.
[[nodiscard]] std::string module_path();

/// Full path of the program of this process (the host of a DLL); empty when unknown.
[[nodiscard]] std::string program_path();

/// Keeps this module loaded until the process ends, even if the host unloads it.
void pin_module();
/// True when pin_module() has been called.
[[nodiscard]] bool is_module_pinned();

/// The resource of this module with this name; empty when there is none, and always on other
/// systems than Windows.
[[nodiscard]] std::string_view find_resource(const char* name);

/// The user's folder for temporary files with a final separator; empty when there is none.
[[nodiscard]] std::string temporary_folder();

/// Logical processors, on Linux those that this process may run on, at least 1.
[[nodiscard]] int processor_count();

/// Main memory of the machine in MiB; 0 when unknown.
[[nodiscard]] std::uint64_t physical_memory_mebibytes();

/// Memory that this process can still allocate without swapping, in bytes; in a 32-bit process also
/// limited by its address space. The largest number when unknown. A hint only: it changes any time.
[[nodiscard]] std::uint64_t available_memory_bytes();

/// Lets this process have so many files and connections open at a time, or as many as the system
/// allows at most. Windows has no such limit.
void allow_open_files(int count);

/// The priority of this thread, for a thread that is to have the same. Windows gives a new thread
/// the usual one, other systems that of the thread that starts it, and these functions do nothing
/// there.
[[nodiscard]] int thread_priority();
void set_thread_priority(int priority);

/// While it lives, no call of this thread makes Windows show a box of its own and wait for the
/// user: that there is no disk in a drive, or that a library is damaged. Such calls fail at once.
/// To be destroyed on the thread that made it. Does nothing on other systems.
class NoSystemDialogs {
public:
    NoSystemDialogs();
    ~NoSystemDialogs();
    NoSystemDialogs(const NoSystemDialogs&) = delete;
    NoSystemDialogs& operator=(const NoSystemDialogs&) = delete;

private:
    unsigned long mode_before_ = 0;
};

/// Sleeps as exactly as the system timer allows; 0 only yields the processor.
void sleep_milliseconds(int milliseconds);

}  // namespace defiance
