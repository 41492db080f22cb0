#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>

namespace defiance {

/// Threads that wait for tasks, for work in portions too small to start threads for each. They wait
/// with a mutex, because std::barrier of GCC 12 loses wake-ups on Windows.
class ThreadTeam {
public:
    /// So many threads with that of the caller, or fewer if the system has no more.
    explicit ThreadTeam(int threads) {
        DEFIANCE_ASSERT(threads > 0);
        try {
            for (int thread = 1; thread < threads; ++thread)
                helpers_.emplace_back([this, thread] { help(thread); });
        } catch (const std::bad_alloc&) {
        } catch (const std::system_error&) {
        }
    }
    ~ThreadTeam() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        has_begun_.notify_all();
        for (std::thread& helper : helpers_)
            helper.join();
    }
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    [[nodiscard]] int size() const { return static_cast<int>(helpers_.size()) + 1; }

    /// Calls task(number, thread) for the numbers 0 to `count` - 1, in any order on any threads.
    /// After an exception of a task no further numbers are begun; it leaves this function when all
    /// threads have ended the run.
    void run(int count, const std::function<void(int, int)>& task) {
        {
            const std::lock_guard lock(mutex_);
            DEFIANCE_ASSERT(busy_ == 0);
            task_ = &task;
            count_ = count;
            next_ = 0;
            busy_ = helpers_.size();
            ++runs_;
        }
        has_begun_.notify_all();
        work(0);
        std::unique_lock lock(mutex_);
        has_ended_.wait(lock, [this] { return busy_ == 0; });
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

private:
    void work(int thread) {
        try {
            for (;;) {
                const int number = next_.fetch_add(1);
                if (number >= count_) return;
                (*task_)(number, thread);
            }
        } catch (...) {
            next_ = count_;
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
        }
    }
    void help(int thread) {
        for (unsigned done = 0;;) {
            {
                std::unique_lock lock(mutex_);
                has_begun_.wait(lock, [&] { return is_over_ || runs_ != done; });
                if (is_over_) return;
                done = runs_;
            }
            work(thread);
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) has_ended_.notify_one();
        }
    }

    std::mutex mutex_;  // guards all but next_; task_ and count_ are read without it during a run
    std::condition_variable has_begun_;
    std::condition_variable has_ended_;
    const std::function<void(int, int)>* task_ = nullptr;
    int count_ = 0;
    std::atomic<int> next_ = 0;
    std::size_t busy_ = 0;  // helpers that have not ended the run
    unsigned runs_ = 0;
    std::exception_ptr failure_;  // of a task of this run
    bool is_over_ = false;
    std::vector<std::thread> helpers_;
};

}  // namespace defiance
