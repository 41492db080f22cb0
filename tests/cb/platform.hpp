#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// What the tests of the engine file ask the operating system for.
namespace defiance::test {

/// A sanitizer makes everything slow, and keeps what was freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// File name of the engine this build makes.
[[nodiscard]] std::string engine_file_name();

/// Threads of this process.
[[nodiscard]] int thread_count();

/// Open handles of this process; on Linux, open files.
[[nodiscard]] int handle_count();

/// Private memory of this process in bytes.
[[nodiscard]] std::size_t private_bytes();

/// Memory of `size` bytes, behind which nothing can be read or written: one byte too far is a
/// crash.
class GuardedMemory {
public:
    explicit GuardedMemory(std::size_t size);
    ~GuardedMemory();
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    template <class T>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(begin_);
    }

private:
    void* pages_ = nullptr;
    std::size_t length_ = 0;
    void* begin_ = nullptr;
};

/// True where options outlive the process: in the registry.
[[nodiscard]] bool has_registry();
/// Reads, writes and removes what the engine with this base name has stored.
[[nodiscard]] std::optional<std::string> stored_option(const std::string& engine,
                                                       const std::string& name);
void store_option(const std::string& engine, const std::string& name, const std::string& value);
void store_number(const std::string& engine, const std::string& name, std::uint32_t value);
void forget_options(const std::string& engine);

/// Calls a stdcall function of 32-bit Windows with these words as its arguments, the stack pointer
/// `offset` (0, 4, 8 or 12) bytes off a multiple of 16 before they are pushed.
[[nodiscard]] int call_with_stack_offset(const void* function, const std::uint32_t* words,
                                         std::uint32_t count, std::uint32_t offset);

}  // namespace defiance::test
