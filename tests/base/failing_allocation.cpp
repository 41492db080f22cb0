#include "failing_allocation.hpp"

#include <cstdlib>
#include <new>

#include <defiance/base/assert.hpp>

namespace {

constexpr int never = -1;
thread_local int left_until_failure = never;

}  // namespace

// Every form, because the address sanitizer brings forms of its own, which do not go with these.

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    if (left_until_failure != never && left_until_failure-- == 0) return nullptr;
    return std::malloc(bytes == 0 ? 1 : bytes);
}

void* operator new[](std::size_t bytes, const std::nothrow_t& nothrow) noexcept {
    return operator new(bytes, nothrow);
}

void* operator new(std::size_t bytes) {
    if (void* const memory = operator new(bytes, std::nothrow)) return memory;
    throw std::bad_alloc();
}

void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

void operator delete[](void* memory) noexcept {
    std::free(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}

void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}

namespace defiance {

FailingAllocation::FailingAllocation(int successes) {
    DEFIANCE_ASSERT(successes >= 0 && left_until_failure == never);
    left_until_failure = successes;
}

FailingAllocation::~FailingAllocation() {
    left_until_failure = never;
}

bool FailingAllocation::has_failed() const {
    return left_until_failure == never;
}

}  // namespace defiance
