#include "failing_allocation.hpp"

#include <cstdlib>
#include <new>

#include <defiance/base/assert.hpp>

namespace {

constexpr int never = -1;
thread_local int left_until_failure = never;

}  // namespace

// The other forms of operator new and delete of the standard library call these two.
void* operator new(std::size_t bytes) {
    if (left_until_failure != never && left_until_failure-- == 0) throw std::bad_alloc();
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
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
