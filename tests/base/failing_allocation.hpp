#pragma once

namespace defiance {

/// While it lives, the allocation with operator new after `successes` others of this thread throws
/// std::bad_alloc, once.
class FailingAllocation {
public:
    explicit FailingAllocation(int successes);
    ~FailingAllocation();
    FailingAllocation(const FailingAllocation&) = delete;
    FailingAllocation& operator=(const FailingAllocation&) = delete;

    /// True when an allocation has failed.
    [[nodiscard]] bool has_failed() const;
};

}  // namespace defiance
